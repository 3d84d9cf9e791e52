#include "coefficients.h"

#include "system/memory.h"
#include "problem/record.h"
#include "problem/same.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIAL_VALUES = 32768 }; /* fewer are looked at by one thread */

static const char *const names[GMG_COEFFICIENTS] = {"alpha", "beta", "beta_x", "beta_y", "beta_z"};

enum gmg_place gmg_given_place(const struct gmg_solver *s, int which)
{
  if (which >= GMG_COEFFICIENTS)
    return (enum gmg_place)(GMG_CELL + s->problem.given[which].centring);
  return which < GMG_BETA_X ? GMG_CELL : (enum gmg_place)(GMG_FACE_I + which - GMG_BETA_X);
}

const char *gmg_given_name(const struct gmg_solver *s, int which)
{
  return which < GMG_COEFFICIENTS ? names[which] : s->problem.given[which].name;
}

size_t gmg_given_extent(const struct gmg_solver *s, int which, int extent[3])
{
  const enum gmg_place place = gmg_given_place(s, which);
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = s->problem.grid->part_upper[d] - s->problem.grid->part_lower[d];
    extent[d] = cells + (place == (enum gmg_place)(GMG_FACE_I + d));
    count *= cells ? (size_t)extent[d] : 0;
  }
  return count;
}

void gmg_given_release(struct gmg_given *given)
{
  gmg_free(given->copy);
  given->copy = NULL;
  if (!given->borrowed)
    given->values.data = NULL;
}

void gmg_given_forget(struct gmg_solver *s)
{
  for (int c = 0; c < GMG_COEFFICIENTS; c++) {
    gmg_given_release(&s->problem.given[c]);
    if (!s->problem.given[c].borrowed)
      s->problem.given[c].present = 0;
    s->problem.given[c].fresh = 0;
  }
}

/* What is allowed of values: above this, or for α, times its factor, not below it. */
static double least_allowed(const struct gmg_solver *s, int which)
{
  const int any =
    which >= GMG_COEFFICIENTS && s->problem.given[which].coarsening != GMG_COARSEN_HARMONIC;
  return any ? -INFINITY : 0;
}

static int allowed(double scaled, double value, double least, int alpha)
{
  return isfinite(scaled) && (alpha ? scaled >= least : value > least);
}

static struct gmg_scan scan_values(const struct gmg_solver *s, int which, double factor)
{
  int extent[3];
  const size_t count = gmg_given_extent(s->problem.grid, which, extent);
  const gmg_array *values = &s->problem.given[which].values;
  const int positive = which != GMG_ALPHA, threads = s->context->threads;
  const long rows = count ? (long)extent[1] * extent[2] : 0;
  size_t bad = count;
  double most = -DBL_MAX, less = -DBL_MAX;
#pragma omp parallel for num_threads(threads) if (count > SERIAL_VALUES) reduction(min \
                                                                                   : bad) \
  reduction(max \
            : most, less)
  for (long r = 0; r < rows; r++) {
    const double *row =
      values->data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    int good = 1;
    for (int i = 0; i < extent[0]; i++) {
      const double value = row[i * values->stride[0]], scaled = factor * value;
      good &= (alpha ? scaled >= least : value > least) & (fabs(scaled) <= DBL_MAX);
      most = scaled > most ? scaled : most;
      less = -scaled > less ? -scaled : less;
    }
    for (int i = 0; i < extent[0] && !good; i++) {
      const double value = row[i * values->stride[0]];
      const size_t at = (size_t)r * (size_t)extent[0] + (size_t)i;
      good = allowed(factor * value, value, least, alpha);
      bad = !good && at < bad ? at : bad;
    }
  }
  return (struct gmg_scan){bad, most, less};
}

gmg_status gmg_given_check(struct gmg_solver *s, int which, double factor, struct gmg_scan *scan)
{
  int extent[3];
  const size_t count = gmg_given_extent(s->problem.grid, which, extent);
  *scan = scan_values(s, which, factor);
  double order = -DBL_MAX, first, value = 0;
  int at[3] = {0, 0, 0};
  if (scan->bad < count) {
    const size_t row = (size_t)extent[0], plane = row * (size_t)extent[1];
    const size_t local[3] = {scan->bad % row, scan->bad % plane / row, scan->bad / plane};
    const double *data = s->problem.given[which].values.data;
    for (int d = 0; d < 3; d++) {
      at[d] = s->problem.grid->part_lower[d] + (int)local[d];
      data += (ptrdiff_t)local[d] * s->problem.given[which].values.stride[d];
    }
    value = *data;
    order = -(((double)at[2] * ((double)s->problem.grid->cells[1] + 1) + at[1])
                * ((double)s->problem.grid->cells[0] + 1)
              + at[0]);
  }
  first = order;
  gmg_status status = GMG_OK;
  if (gmg_comm_max(&s->context->comm, &first, 1))
    status = gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  else if (scan->bad < count && order == first)
    status = gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                      "%s%s is %g at (i, j, k) = (%d, %d, %d): expected a finite number%s",
                      which == GMG_ALPHA ? "a " : "", gmg_given_name(s, which), factor * value,
                      at[0], at[1], at[2],
                      which == GMG_ALPHA               ? " >= 0"
                        : least_allowed(s, which) == 0 ? " > 0"
                                                       : "");
  return gmg_agree(s->context, status);
}

/* By the threads that will read it, so that pages lie where they are used. */
static void copy_values(const struct gmg_solver *s, const gmg_array *values, const int extent[3],
                        double *to)
{
  const long rows = (long)extent[1] * extent[2];
#pragma omp parallel for num_threads(s->context->threads) if (rows * extent[0] > SERIAL_VALUES)
  for (long r = 0; r < rows; r++) {
    const double *row =
      values->data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    for (int i = 0; i < extent[0]; i++)
      to[r * extent[0] + i] = row[i * values->stride[0]];
  }
}

static gmg_status check_call(struct gmg_solver *s, int which, const gmg_array *values)
{
  if (which < 0 || which >= s->problem.givens || !values)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                    "a coefficient was set: there is no such one, or no values");
  if (s->set_up && !s->problem.has[which])
    return gmg_fail(s->context, GMG_ERR_ORDER,
                    "%s was not set before the first gmg_solver_setup: it cannot be replaced",
                    gmg_given_name(s, which));
  int extent[3];
  if (gmg_given_extent(s->problem.grid, which, extent) && !values->data)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: the array has no data", names[which]);
  return GMG_OK;
}

/* All ranks set the same coefficient in the same way. */
static gmg_status same_call(struct gmg_solver *s, const char *call, gmg_coefficient which,
                            gmg_status status)
{
  const int known = (int)which >= 0 && (int)which < GMG_COEFFICIENTS;
  const struct gmg_same same = {.call = call,
                                .choice = {{"number of the solver", s->number, NULL},
                                           {"the coefficient", known ? (int)which : 0, names}}};
  return gmg_same(s->context, status, &same);
}

/* Puts in place what was given, after a look at it. What was there before stays where it is
 * refused. */
static gmg_status accept(struct gmg_solver *s, int which, const struct gmg_given *given)
{
  const struct gmg_given before = s->problem.given[which];
  struct scan scan;
  s->problem.given[which] = *given;
  /* Whether a α is negative shows when a is known, at setup. */
  const gmg_status status = which == GMG_ALPHA ? GMG_OK : gmg_given_check(s, which, 1, &scan);
  if (status)
    s->problem.given[which] = before;
  s->problem.has[which] |= !status;
  gmg_free(status ? given->copy : before.copy);
  return status;
}

/* Copies the values to `given`. */
static gmg_status copy_given(struct gmg_solver *s, int which, const gmg_array *values,
                             struct gmg_given *given)
{
  gmg_status status = check_call(s, which, values);
  int extent[3] = {0, 0, 0};
  if (status)
    return status;
  const size_t count = gmg_given_extent(s, which, extent);
  given->present = given->fresh = 1;
  given->copy = gmg_malloc((count + 1) * sizeof *given->copy);
  given->values = (gmg_array){given->copy, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
  if (!given->copy)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for %s", gmg_given_name(s, which));
  if (count)
    copy_values(s, values, extent, given->copy);
  return GMG_OK;
}

static gmg_status copy_coefficient(struct gmg_solver *s, gmg_coefficient which,
                                   const gmg_array *values)
{
  gmg_status status = check_call(s, which, values);
  struct gmg_given given = {.present = 1, .fresh = 1};
  int extent[3] = {0, 0, 0};
  if (!status) {
    const size_t count = gmg_given_extent(s->problem.grid, which, extent);
    given.copy = gmg_malloc((count + 1) * sizeof *given.copy);
    given.values = (gmg_array){given.copy, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
    if (!given.copy)
      status = gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for %s", names[which]);
    else if (count)
      copy_values(s, values, extent, given.copy);
  }
  status = same_call(s, "gmg_solver_set_coefficient", which, status);
  if (!status)
    return accept(s, (int)which, &given);
  gmg_free(given.copy);
  return status;
}

gmg_status gmg_solver_set_coefficient(gmg_solver *solver, gmg_coefficient which,
                                      const gmg_array *values)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_status status = copy_coefficient(solver, which, values);
  if (!status)
    status = gmg_record_coefficient(solver, which, values);
  gmg_account(outer);
  return status;
}

gmg_status gmg_solver_borrow_coefficient(gmg_solver *solver, gmg_coefficient which,
                                         const gmg_array *values)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  gmg_status status =
    same_call(solver, "gmg_solver_borrow_coefficient", which,
              check_call(solver, (int)which < GMG_COEFFICIENTS ? (int)which : -1, values));
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  status = accept(solver, which,
                  &(struct gmg_given){.present = 1, .fresh = 1, .borrowed = 1, .values = *values});
  gmg_account(outer);
  return status;
}

/* The place of an operator's own field of that name; the next free one where it is new. */
static int find_own(const struct gmg_solver *s, const char *name)
{
  struct scan scan;
  gmg_status status = GMG_OK;
  for (int c = GMG_BETA; c < GMG_COEFFICIENTS && !status; c++)
    if (s->problem.given[c].borrowed)
      status = check_values(s, (gmg_coefficient)c, 1, &scan);
  return status;
}

/* Whether a α has one value everywhere; which goes to s->problem.alpha. Calls: collective. */
static gmg_status inspect_alpha(struct gmg_solver *s)
{
  const int uniform = s->problem.uniform_alpha;
  const double alpha = s->problem.alpha;
  s->problem.uniform_alpha = 1;
  s->problem.alpha = s->problem.a;
  if (!s->problem.has[GMG_ALPHA]) {
    if (s->problem.a < 0)
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "a = %g: expected a >= 0 where alpha is 1",
                      s->problem.a);
    return GMG_OK;
  }
  if (!s->problem.given[GMG_ALPHA].present) { /* set up before, and not replaced */
    s->problem.uniform_alpha = uniform;
    s->problem.alpha = alpha;
    return GMG_OK;
  }
  struct scan scan;
  const gmg_status status = check_values(s, GMG_ALPHA, s->problem.a, &scan);
  if (status)
    return status;
  double range[2] = {scan.most, scan.less};
  if (gmg_comm_max(&s->context->comm, range, 2))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  s->problem.uniform_alpha = range[0] == -range[1];
  s->problem.alpha = s->problem.uniform_alpha ? range[0] + 0.0 : 0;
  return GMG_OK;
}

static void list_operators(const gmg_context *context, char *known, size_t room)
{
  known[0] = 0;
  for (int a = -1; a < GMG_ADDED; a++) {
    const struct gmg_kernel_library *library = a < 0 ? context->library : context->added[a];
    for (int n = 0; library && n < library->operators; n++)
      snprintf(known + strlen(known), room - strlen(known), "%s%s", known[0] ? ", " : "",
               library->operator_[n]->name);
  }
}

static gmg_status find_operator(struct gmg_solver *s, int beta_given)
{
  const char *name = s->problem.options.operator_;
  s->problem.rows = s->problem.options.rows == GMG_ROWS_PLAIN ? GMG_PLAIN : GMG_SPLIT;
  if (strcmp(name, "auto") == 0)
    name = beta_given ? "variable7" : "constant7";
  s->problem.op = gmg_context_operator(s->context, name);
  if (!s->problem.op) {
    char known[300];
    list_operators(s->context, known, sizeof known);
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator: there is no '%s'; known: %s", name,
                    known);
  }
  if (s->problem.op->boundary == GMG_GHOST_FORMULAS && s->problem.op->ghost > 1)
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "operator '%s' reads %d cells far; this version has boundary formulas for 1",
                    name, s->problem.op->ghost);
  const int takes_beta = gmg_operator_has(s->problem.op, "beta_i")
    || gmg_operator_has(s->problem.op, "beta_j") || gmg_operator_has(s->problem.op, "beta_k");
  if (beta_given && !takes_beta)
    return gmg_fail(s->context, GMG_ERR_OPTION,
                    "operator '%s' has constant coefficients, but beta was given", name);
  if ((!s->problem.uniform_alpha || s->problem.alpha != 0)
      && !gmg_operator_has(s->problem.op, "alpha"))
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has no alpha, but a alpha is not 0",
                    name);
  return GMG_OK;
}

gmg_status gmg_coefficients_choose(struct gmg_solver *s, int take)
{
  int faces = 0, replaced = 0;
  for (int d = 0; d < 3; d++) {
    faces += s->problem.has[GMG_BETA_X + d];
    replaced += s->problem.given[GMG_BETA_X + d].present;
  }
  if (faces && faces < 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be given for all three axes, not for %d", faces);
  if (replaced % 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be replaced for all three axes, not for %d", replaced);
  if (faces && s->problem.has[GMG_BETA])
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "beta was given both on cells and on faces");
  gmg_status status = take & GMG_TAKE_BETA ? check_borrowed(s) : GMG_OK;
  if (!status && take & GMG_TAKE_ALPHA)
    status = inspect_alpha(s);
  if (status)
    return status;
  int fixed = 0;
  for (int side = 0; side < 6; side++)
    fixed |=
      s->problem.grid->side[side].kind != GMG_PERIODIC && s->problem.grid->side[side].c0 != 0;
  s->problem.singular = !fixed && s->problem.uniform_alpha && s->problem.alpha == 0;
  return find_operator(s, faces || s->problem.has[GMG_BETA]);
}

static int taken_with(int c)
{
  return c == GMG_ALPHA ? GMG_TAKE_ALPHA : c < GMG_COEFFICIENTS ? GMG_TAKE_BETA : GMG_TAKE_OWN;
}

int gmg_coefficients_lost(const struct gmg_solver *s, int take)
{
  int lost = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    lost |= s->problem.has[c] && !s->problem.given[c].present ? taken_with(c) : 0;
  return lost & take;
}

int gmg_coefficients_given(const struct gmg_solver *s)
{
  int given = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    given |= s->problem.given[c].present ? taken_with(c) : 0;
  return given;
}

int gmg_coefficients_replaced(const struct gmg_solver *s)
{
  int replaced = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    replaced |= s->problem.given[c].fresh;
  return replaced;
}
