#include "coefficients.h"
#include "problem/kernels.h"

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

size_t gmg_given_extent(const gmg_grid *grid, gmg_coefficient which, int extent[3])
{
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = grid->part_upper[d] - grid->part_lower[d];
    extent[d] = cells + ((int)which == (int)GMG_BETA_X + d);
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

void gmg_given_forget(struct gmg_problem *p)
{
  for (int c = 0; c < GMG_COEFFICIENTS; c++) {
    gmg_given_release(&p->given[c]);
    if (!p->given[c].borrowed)
      p->given[c].present = 0;
    p->given[c].fresh = 0;
  }
}

/* What a look at all values of this rank's part finds. */
struct scan {
  size_t bad;        /* the first that is not allowed, counted with x fastest; their number: none */
  double most, less; /* the largest factor x value, and the largest of its negatives */
};

static int allowed(double scaled, double value, int positive)
{
  return isfinite(scaled) && (positive ? value > 0 : scaled >= 0);
}

/* factor x value must be finite, and >= 0, or the value > 0. */
static struct scan scan_values(const struct gmg_problem *p, gmg_coefficient which, double factor)
{
  int extent[3];
  const size_t count = gmg_given_extent(p->grid, which, extent);
  const gmg_array *values = &p->given[which].values;
  const int positive = which != GMG_ALPHA, threads = p->grid->context->threads;
  const long rows = count ? (long)extent[1] * extent[2] : 0;
  size_t bad = count;
  double most = -DBL_MAX, less = -DBL_MAX;
#pragma omp parallel for num_threads(threads) reduction(min \
                                                        : bad) \
  reduction(max \
            : most, less) if (count > SERIAL_VALUES)
  for (long r = 0; r < rows; r++) {
    const double *row =
      values->data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    int good = 1;
    for (int i = 0; i < extent[0]; i++) {
      const double value = row[i * values->stride[0]], scaled = factor * value;
      good &= (positive ? value > 0 : scaled >= 0) & (fabs(scaled) <= DBL_MAX);
      most = scaled > most ? scaled : most;
      less = -scaled > less ? -scaled : less;
    }
    for (int i = 0; i < extent[0] && !good; i++) {
      const double value = row[i * values->stride[0]];
      const size_t at = (size_t)r * (size_t)extent[0] + (size_t)i;
      good = !allowed(factor * value, value, positive);
      bad = good && at < bad ? at : bad;
    }
  }
  return (struct scan){bad, most, less};
}

/* Refuses the first value, in global order, that is not allowed. */
static gmg_status check_values(struct gmg_problem *p, gmg_coefficient which, double factor,
                               struct scan *scan)
{
  int extent[3];
  const size_t count = gmg_given_extent(p->grid, which, extent);
  *scan = scan_values(p, which, factor);
  double order = -DBL_MAX, first, value = 0;
  int at[3] = {0, 0, 0};
  if (scan->bad < count) {
    const size_t row = (size_t)extent[0], plane = row * (size_t)extent[1];
    const size_t local[3] = {scan->bad % row, scan->bad % plane / row, scan->bad / plane};
    const double *data = p->given[which].values.data;
    for (int d = 0; d < 3; d++) {
      at[d] = p->grid->part_lower[d] + (int)local[d];
      data += (ptrdiff_t)local[d] * p->given[which].values.stride[d];
    }
    value = *data;
    order =
      -(((double)at[2] * ((double)p->grid->cells[1] + 1) + at[1]) * ((double)p->grid->cells[0] + 1)
        + at[0]);
  }
  first = order;
  gmg_status status = GMG_OK;
  if (gmg_comm_max(&p->grid->context->comm, &first, 1))
    status = gmg_fail(p->grid->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  else if (scan->bad < count && order == first)
    status = gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "%s%s is %g at (i, j, k) = (%d, %d, %d): expected a finite number %s",
                      which == GMG_ALPHA ? "a " : "", names[which], factor * value, at[0], at[1],
                      at[2], which == GMG_ALPHA ? ">= 0" : "> 0");
  return gmg_agree(p->grid->context, status);
}

/* By the threads that will read it, so that pages lie where they are used. */
static void copy_values(const gmg_solver *s, const gmg_array *values, const int extent[3],
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

static gmg_status check_call(gmg_solver *s, gmg_coefficient which, const gmg_array *values)
{
  if ((int)which < 0 || (int)which >= GMG_COEFFICIENTS || !values)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                    "a coefficient was set: there is no such one, or no values");
  if (s->set_up && !s->problem.has[which])
    return gmg_fail(s->context, GMG_ERR_ORDER,
                    "%s was not set before the first gmg_solver_setup: it cannot be replaced",
                    names[which]);
  int extent[3];
  if (gmg_given_extent(s->problem.grid, which, extent) && !values->data)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: the array has no data", names[which]);
  return GMG_OK;
}

/* All ranks set the same coefficient in the same way. */
static gmg_status same_call(gmg_solver *s, const char *call, gmg_coefficient which,
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
static gmg_status accept(struct gmg_problem *p, gmg_coefficient which,
                         const struct gmg_given *given)
{
  const struct gmg_given before = p->given[which];
  struct scan scan;
  p->given[which] = *given;
  /* Whether a α is negative shows when a is known, at setup. */
  const gmg_status status = which == GMG_ALPHA ? GMG_OK : check_values(p, which, 1, &scan);
  if (status)
    p->given[which] = before;
  p->has[which] |= !status;
  gmg_free(status ? given->copy : before.copy);
  return status;
}

static gmg_status copy_coefficient(gmg_solver *s, gmg_coefficient which, const gmg_array *values)
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
    return accept(&s->problem, which, &given);
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
    same_call(solver, "gmg_solver_borrow_coefficient", which, check_call(solver, which, values));
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  status = accept(&solver->problem, which,
                  &(struct gmg_given){.present = 1, .fresh = 1, .borrowed = 1, .values = *values});
  gmg_account(outer);
  return status;
}

/* Borrowed values may have changed since they were looked at. */
static gmg_status check_borrowed(struct gmg_problem *p)
{
  struct scan scan;
  gmg_status status = GMG_OK;
  for (int c = GMG_BETA; c < GMG_COEFFICIENTS && !status; c++)
    if (p->given[c].borrowed)
      status = check_values(p, (gmg_coefficient)c, 1, &scan);
  return status;
}

/* Whether a α has one value everywhere; which goes to s->problem.alpha. Calls: collective. */
static gmg_status inspect_alpha(struct gmg_problem *p)
{
  const int uniform = p->uniform_alpha;
  const double alpha = p->alpha;
  p->uniform_alpha = 1;
  p->alpha = p->a;
  if (!p->has[GMG_ALPHA]) {
    if (p->a < 0)
      return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "a = %g: expected a >= 0 where alpha is 1", p->a);
    return GMG_OK;
  }
  if (!p->given[GMG_ALPHA].present) { /* set up before, and not replaced */
    p->uniform_alpha = uniform;
    p->alpha = alpha;
    return GMG_OK;
  }
  struct scan scan;
  const gmg_status status = check_values(p, GMG_ALPHA, p->a, &scan);
  if (status)
    return status;
  double range[2] = {scan.most, scan.less};
  if (gmg_comm_max(&p->grid->context->comm, range, 2))
    return gmg_fail(p->grid->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  p->uniform_alpha = range[0] == -range[1];
  p->alpha = p->uniform_alpha ? range[0] + 0.0 : 0;
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

static gmg_status find_operator(struct gmg_problem *p, int beta_given)
{
  const char *name = p->options.operator_;
  p->rows = p->options.rows == GMG_ROWS_PLAIN ? GMG_PLAIN : GMG_SPLIT;
  if (strcmp(name, "auto") == 0)
    name = beta_given ? "variable7" : "constant7";
  p->op = gmg_context_operator(p->grid->context, name);
  if (!p->op) {
    char known[300];
    list_operators(p->grid->context, known, sizeof known);
    return gmg_fail(p->grid->context, GMG_ERR_OPTION, "operator: there is no '%s'; known: %s", name,
                    known);
  }
  if (p->op->boundary == GMG_GHOST_FORMULAS && p->op->ghost > 1)
    return gmg_fail(p->grid->context, GMG_ERR_UNSUPPORTED,
                    "operator '%s' reads %d cells far; this version has boundary formulas for 1",
                    name, p->op->ghost);
  const int takes_beta = gmg_operator_has(p->op, "beta_i") || gmg_operator_has(p->op, "beta_j")
    || gmg_operator_has(p->op, "beta_k");
  if (beta_given && !takes_beta)
    return gmg_fail(p->grid->context, GMG_ERR_OPTION,
                    "operator '%s' has constant coefficients, but beta was given", name);
  if ((!p->uniform_alpha || p->alpha != 0) && !gmg_operator_has(p->op, "alpha"))
    return gmg_fail(p->grid->context, GMG_ERR_OPTION,
                    "operator '%s' has no alpha, but a alpha is not 0", name);
  return GMG_OK;
}

gmg_status gmg_coefficients_choose(struct gmg_problem *p, int take)
{
  int faces = 0, replaced = 0;
  for (int d = 0; d < 3; d++) {
    faces += p->has[GMG_BETA_X + d];
    replaced += p->given[GMG_BETA_X + d].present;
  }
  if (faces && faces < 3)
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be given for all three axes, not for %d", faces);
  if (replaced % 3)
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be replaced for all three axes, not for %d", replaced);
  if (faces && p->has[GMG_BETA])
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta was given both on cells and on faces");
  gmg_status status = take & GMG_TAKE_BETA ? check_borrowed(p) : GMG_OK;
  if (!status && take & GMG_TAKE_ALPHA)
    status = inspect_alpha(p);
  if (status)
    return status;
  int fixed = 0;
  for (int side = 0; side < 6; side++)
    fixed |= p->grid->side[side].kind != GMG_PERIODIC && p->grid->side[side].c0 != 0;
  p->singular = !fixed && p->uniform_alpha && p->alpha == 0;
  return find_operator(p, faces || p->has[GMG_BETA]);
}

static int taken_with(int c)
{
  return c == GMG_ALPHA ? GMG_TAKE_ALPHA : GMG_TAKE_BETA;
}

int gmg_coefficients_lost(const struct gmg_problem *p, int take)
{
  int lost = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    lost |= p->has[c] && !p->given[c].present ? taken_with(c) : 0;
  return lost & take;
}

int gmg_coefficients_given(const struct gmg_problem *p)
{
  int given = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    given |= p->given[c].present ? taken_with(c) : 0;
  return given;
}

int gmg_coefficients_replaced(const struct gmg_problem *p)
{
  int replaced = 0;
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    replaced |= p->given[c].fresh;
  return replaced;
}
