#include "coefficients.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[GMG_COEFFICIENTS] = {"alpha", "beta", "beta_x", "beta_y", "beta_z"};

/* Values of this rank's part along each axis; all 0 where it has no cells. */
static size_t part_extent(const struct gmg_grid *grid, gmg_coefficient which, int extent[3])
{
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = grid->part_upper[d] - grid->part_lower[d];
    extent[d] = cells + ((int)which == (int)GMG_BETA_X + d);
    count *= cells ? (size_t)extent[d] : 0;
  }
  return count;
}

/* The first value, in global order, that is not allowed: factor times it finite, and >= 0, or > 0 for β. */
static gmg_status check_values(struct gmg_solver *s, gmg_coefficient which, double factor)
{
  int extent[3];
  const size_t count = part_extent(s->grid, which, extent);
  const double *values = s->given[which];
  size_t bad = 0;
  while (bad < count && isfinite(factor * values[bad])
         && (which == GMG_ALPHA ? factor * values[bad] >= 0 : values[bad] > 0))
    bad++;
  double order = -DBL_MAX, first;
  int at[3] = {0, 0, 0};
  if (bad < count) {
    const size_t row = (size_t)extent[0], plane = row * (size_t)extent[1];
    const size_t local[3] = {bad % row, bad % plane / row, bad / plane};
    for (int d = 0; d < 3; d++)
      at[d] = s->grid->part_lower[d] + (int)local[d];
    order = -(((double)at[2] * ((double)s->grid->cells[1] + 1) + at[1]) * ((double)s->grid->cells[0] + 1) + at[0]);
  }
  first = order;
  gmg_status status = GMG_OK;
  if (gmg_comm_max(&s->context->comm, &first, 1))
    status = gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  else if (bad < count && order == first)
    status =
      gmg_fail(s->context, GMG_ERR_COEFFICIENT, "%s%s is %g at (i, j, k) = (%d, %d, %d): expected a finite number %s",
               which == GMG_ALPHA ? "a " : "", names[which], factor * values[bad], at[0], at[1], at[2],
               which == GMG_ALPHA ? ">= 0" : "> 0");
  return gmg_agree(s->context, status);
}

static void copy_values(const gmg_array *values, const int extent[3], double *to)
{
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++) {
      const double *row = values->data + j * values->stride[1] + k * values->stride[2];
      for (int i = 0; i < extent[0]; i++)
        *to++ = row[i * values->stride[0]];
    }
}

gmg_status gmg_solver_set_coefficient(gmg_solver *solver, gmg_coefficient which, const gmg_array *values)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = solver->context;
  gmg_status status = GMG_OK;
  if ((int)which < 0 || (int)which >= GMG_COEFFICIENTS || !values)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_solver_set_coefficient: no such coefficient, or no values");
  else if (solver->ready && !solver->has[which])
    status = gmg_fail(context, GMG_ERR_ORDER, "%s was not set before the first gmg_solver_setup: it cannot be replaced",
                      names[which]);
  int extent[3] = {0, 0, 0};
  size_t count = 0;
  double *copy = NULL;
  if (!status) {
    count = part_extent(solver->grid, which, extent);
    copy = malloc((count + 1) * sizeof *copy);
    if (!copy)
      status = gmg_fail(context, GMG_ERR_MEMORY, "out of memory for %s", names[which]);
    else if (count && !values->data)
      status = gmg_fail(context, GMG_ERR_ARGUMENT, "%s: the array has no data", names[which]);
  }
  status = gmg_agree(context, status);
  if (status) {
    free(copy);
    return status;
  }
  if (count)
    copy_values(values, extent, copy);
  double *previous = solver->given[which];
  solver->given[which] = copy;
  /* Whether a α is negative shows when a is known, at setup. */
  status = which == GMG_ALPHA ? GMG_OK : check_values(solver, which, 1);
  solver->given[which] = status ? previous : copy;
  solver->has[which] |= !status;
  free(status ? copy : previous);
  return status;
}

/* Whether a α has one value everywhere; which goes to s->alpha. Calls: collective. */
static gmg_status inspect_alpha(struct gmg_solver *s)
{
  const int uniform = s->uniform_alpha;
  const double alpha = s->alpha;
  s->uniform_alpha = 1;
  s->alpha = s->a;
  if (!s->has[GMG_ALPHA]) {
    if (s->a < 0)
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "a = %g: expected a >= 0 where alpha is 1", s->a);
    return GMG_OK;
  }
  if (!s->given[GMG_ALPHA]) { /* set up before, and not replaced */
    s->uniform_alpha = uniform;
    s->alpha = alpha;
    return GMG_OK;
  }
  gmg_status status = check_values(s, GMG_ALPHA, s->a);
  if (status)
    return status;
  int extent[3];
  const size_t count = part_extent(s->grid, GMG_ALPHA, extent);
  double range[2] = {-DBL_MAX, -DBL_MAX}; /* of a α, and of - a α */
  for (size_t n = 0; n < count; n++) {
    range[0] = fmax(range[0], s->a * s->given[GMG_ALPHA][n]);
    range[1] = fmax(range[1], -s->a * s->given[GMG_ALPHA][n]);
  }
  if (gmg_comm_max(&s->context->comm, range, 2))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  s->uniform_alpha = range[0] == -range[1];
  s->alpha = s->uniform_alpha ? range[0] + 0.0 : 0;
  return GMG_OK;
}

static void list_operators(const gmg_context *context, char *known, size_t room)
{
  known[0] = 0;
  for (int a = -1; a < GMG_ADDED; a++) {
    const struct gmg_kernel_library *library = a < 0 ? context->library : context->added[a];
    for (int n = 0; library && n < library->operators; n++)
      snprintf(known + strlen(known), room - strlen(known), "%s%s", known[0] ? ", " : "", library->operator_[n]->name);
  }
}

static gmg_status find_operator(struct gmg_solver *s, int beta_given)
{
  const char *name = s->options.operator_;
  s->rows = s->options.rows == GMG_ROWS_PLAIN ? GMG_PLAIN : GMG_SPLIT;
  if (strcmp(name, "auto") == 0)
    name = beta_given ? "variable7" : "constant7";
  s->op = gmg_context_operator(s->context, name);
  if (!s->op) {
    char known[300];
    list_operators(s->context, known, sizeof known);
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator: there is no '%s'; known: %s", name, known);
  }
  if (s->op->boundary == GMG_GHOST_FORMULAS && s->op->ghost > 1)
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "operator '%s' reads %d cells far; this version has boundary formulas for 1", name, s->op->ghost);
  const int takes_beta =
    gmg_operator_has(s->op, "beta_i") || gmg_operator_has(s->op, "beta_j") || gmg_operator_has(s->op, "beta_k");
  if (beta_given && !takes_beta)
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has constant coefficients, but beta was given", name);
  if ((!s->uniform_alpha || s->alpha != 0) && !gmg_operator_has(s->op, "alpha"))
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has no alpha, but a alpha is not 0", name);
  return GMG_OK;
}

gmg_status gmg_coefficients_choose(struct gmg_solver *s)
{
  int faces = 0, replaced = 0;
  for (int d = 0; d < 3; d++) {
    faces += s->has[GMG_BETA_X + d];
    replaced += s->given[GMG_BETA_X + d] != NULL;
  }
  if (faces && faces < 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "beta on faces must be given for all three axes, not for %d",
                    faces);
  if (replaced % 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "beta on faces must be replaced for all three axes, not for %d",
                    replaced);
  if (faces && s->has[GMG_BETA])
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "beta was given both on cells and on faces");
  const gmg_status status = inspect_alpha(s);
  if (status)
    return status;
  int fixed = 0;
  for (int side = 0; side < 6; side++)
    fixed |= s->grid->side[side].kind != GMG_PERIODIC && s->grid->side[side].c0 != 0;
  s->singular = !fixed && s->uniform_alpha && s->alpha == 0;
  return find_operator(s, faces || s->has[GMG_BETA]);
}

int gmg_coefficients_lost(const struct gmg_solver *s)
{
  int lost = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    lost |= s->has[c] && !s->given[c];
  return lost;
}
