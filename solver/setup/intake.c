#include "intake.h"

#include "system/memory.h"
#include "problem/record.h"
#include "problem/same.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SERIAL_VALUES = 32768 }; /* fewer are looked at by one thread */

static const char *const names[GMG_COEFFICIENTS] = {"alpha", "beta", "beta_x", "beta_y", "beta_z"};

enum gmg_place gmg_given_place(const struct gmg_problem *p, int which)
{
  const struct gmg_given *given = p->given + which;
  if (which >= GMG_COEFFICIENTS)
    return (enum gmg_place)(GMG_CELL + given->centring);
  return which < GMG_BETA_X ? GMG_CELL : gmg_face(which - (int)GMG_BETA_X);
}

const char *gmg_given_name(const struct gmg_problem *p, int which)
{
  const struct gmg_given *given = p->given + which;
  return which < GMG_COEFFICIENTS ? names[which] : given->name;
}

size_t gmg_given_extent(const struct gmg_problem *p, int which, int extent[3])
{
  const enum gmg_place place = gmg_given_place(p, which);
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = p->grid->part_upper[d] - p->grid->part_lower[d];
    extent[d] = cells + (place == gmg_face(d));
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
  for (int c = 0; c < p->givens; c++) {
    gmg_given_release(&p->given[c]);
    if (!p->given[c].borrowed)
      p->given[c].present = 0;
    p->given[c].fresh = 0;
  }
}

/* What is allowed of values: above this, or for α, times its factor, not below it. */
static double least_allowed(const struct gmg_problem *p, int which)
{
  const struct gmg_given *given = p->given + which;
  const int any = which >= GMG_COEFFICIENTS && given->coarsening != GMG_COARSEN_HARMONIC;
  return any ? -INFINITY : 0;
}

static int allowed(double scaled, double value, double least, int alpha)
{
  return isfinite(scaled) && (alpha ? scaled >= least : value > least);
}

enum { LANES = 8 };

/* Whether all values of a row without gaps are finite and above `least`; may say no of one that is.
 * By signs, and by products with 0 that only finite numbers leave 0: compilers compute several of
 * those at once, but no comparisons. */
static int all_allowed(const double *row, int count, double least)
{
  double product[LANES] = {0};
  uint64_t above = UINT64_MAX;
  for (int i = 0; i + LANES <= count; i += LANES)
    for (int n = 0; n < LANES; n++) {
      const union {
        double value;
        uint64_t bits;
      } difference = {least - row[i + n]};
      above &= difference.bits;
      product[n] += 0 * row[i + n];
    }
  int good = above >> 63 != 0;
  for (int n = 0; n < LANES; n++)
    good &= product[n] == 0;
  for (int i = count / LANES * LANES; i < count; i++)
    good &= allowed(row[i], row[i], least, 0);
  return good;
}

static struct gmg_scan scan_values(const struct gmg_problem *p, int which, double factor)
{
  int extent[3];
  const size_t count = gmg_given_extent(p, which, extent);
  const gmg_array *values = &p->given[which].values;
  const int alpha = which == GMG_ALPHA, threads = p->grid->context->threads;
  const double least = least_allowed(p, which);
  const long rows = count ? (long)extent[1] * extent[2] : 0;
  size_t bad = count;
  double most = -DBL_MAX, less = -DBL_MAX;
  const int many = count > SERIAL_VALUES ? threads : 1;
#pragma omp parallel for num_threads(many) reduction(min : bad) reduction(max : most, less)
  for (long r = 0; r < rows; r++) {
    const double *row =
      values->data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    if (!alpha && values->stride[0] == 1 && all_allowed(row, extent[0], least))
      continue;
    int good = 1;
    for (int i = 0; i < extent[0]; i++) {
      const double value = row[i * values->stride[0]], scaled = factor * value;
      good &= (alpha ? scaled >= least : value > least) & (fabs(scaled) <= DBL_MAX);
      most = scaled > most ? scaled : most;
      less = -scaled > less ? -scaled : less;
    }
    for (int i = 0, found = good; i < extent[0] && !found; i++) {
      const double value = row[i * values->stride[0]];
      const size_t at = (size_t)r * (size_t)extent[0] + (size_t)i;
      found = !allowed(factor * value, value, least, alpha);
      bad = found && at < bad ? at : bad;
    }
  }
  return (struct gmg_scan){bad, most, less};
}

gmg_status gmg_given_check(struct gmg_problem *p, int which, double factor, struct gmg_scan *scan)
{
  int extent[3];
  const size_t count = gmg_given_extent(p, which, extent);
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
    status = gmg_mpi_failed(p->grid->context);
  else if (scan->bad < count && order == first)
    status = gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "%s%s is %g at (i, j, k) = (%d, %d, %d): expected a finite number%s",
                      which == GMG_ALPHA ? "a " : "", gmg_given_name(p, which), factor * value,
                      at[0], at[1], at[2],
                      which == GMG_ALPHA               ? " >= 0"
                        : least_allowed(p, which) == 0 ? " > 0"
                                                       : "");
  return gmg_agree(p->grid->context, status);
}

/* By the threads that will read it, so that pages lie where they are used. */
static void copy_values(const struct gmg_problem *p, const gmg_array *values, const int extent[3],
                        double *to)
{
  const long rows = (long)extent[1] * extent[2];
#pragma omp parallel for num_threads(p->grid->context->threads) if (rows * extent[0] \
                                                                    > SERIAL_VALUES)
  for (long r = 0; r < rows; r++) {
    const double *row =
      values->data + r % extent[1] * values->stride[1] + r / extent[1] * values->stride[2];
    for (int i = 0; i < extent[0]; i++)
      to[r * extent[0] + i] = row[i * values->stride[0]];
  }
}

static gmg_status check_call(gmg_solver *s, int which, const gmg_array *values)
{
  if (which < 0 || which >= s->problem.givens || !values)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                    "a coefficient was set: there is no such one, or no values");
  if (s->set_up && !s->problem.has[which])
    return gmg_fail(s->context, GMG_ERR_ORDER,
                    "%s was not set before the first gmg_solver_setup: it cannot be replaced",
                    gmg_given_name(&s->problem, which));
  int extent[3];
  if (gmg_given_extent(&s->problem, which, extent) && !values->data)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: the array has no data",
                    gmg_given_name(&s->problem, which));
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
static gmg_status accept(struct gmg_problem *p, int which, const struct gmg_given *given)
{
  const struct gmg_given before = p->given[which];
  struct gmg_scan scan;
  p->given[which] = *given;
  /* Whether a α is negative shows when a is known, at setup. */
  const gmg_status status = which == GMG_ALPHA ? GMG_OK : gmg_given_check(p, which, 1, &scan);
  if (status)
    p->given[which] = before;
  p->has[which] |= !status;
  gmg_free(status ? given->copy : before.copy);
  return status;
}

/* Copies the values to `given`. */
static gmg_status copy_given(gmg_solver *s, int which, const gmg_array *values,
                             struct gmg_given *given)
{
  gmg_status status = check_call(s, which, values);
  int extent[3] = {0, 0, 0};
  if (status)
    return status;
  const size_t count = gmg_given_extent(&s->problem, which, extent);
  given->present = given->fresh = 1;
  given->copy = gmg_malloc((count + 1) * sizeof *given->copy);
  given->values = (gmg_array){given->copy, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
  if (!given->copy)
    return gmg_no_memory(s->context, "for %s", gmg_given_name(&s->problem, which));
  if (count)
    copy_values(&s->problem, values, extent, given->copy);
  return GMG_OK;
}

static gmg_status copy_coefficient(gmg_solver *s, gmg_coefficient which, const gmg_array *values)
{
  struct gmg_given given = {.present = 0};
  gmg_status status =
    copy_given(s, (int)which < GMG_COEFFICIENTS ? (int)which : -1, values, &given);
  status = same_call(s, "gmg_solver_set_coefficient", which, status);
  if (!status)
    return accept(&s->problem, (int)which, &given);
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
  status = accept(&solver->problem, which,
                  &(struct gmg_given){.present = 1, .fresh = 1, .borrowed = 1, .values = *values});
  gmg_account(outer);
  return status;
}

/* The place of an operator's own field of that name; the next free one where it is new. */
static int find_own(const struct gmg_problem *p, const char *name)
{
  int which = GMG_COEFFICIENTS;
  while (which < p->givens && strcmp(p->given[which].name, name) != 0)
    which++;
  return which;
}

static gmg_status check_own(gmg_solver *s, const char *name, gmg_centring centring,
                            gmg_coarsening coarsening, const gmg_array *values)
{
  gmg_context *context = s->context;
  if (!name[0] || strlen(name) >= GMG_NAME_ROOM)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_field: expected a name of 1 to %d letters", GMG_NAME_ROOM - 1);
  const int number = gmg_name(&context->names, name), which = find_own(&s->problem, name);
  if (number >= 0 && number < GMG_FIXED_NAMES)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_field: '%s' is a field of the solver's own", name);
  if (number < 0 || which == GMG_COEFFICIENTS + GMG_OWN_FIELDS)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_field: '%s' is one field too many; %d can be set", name,
                    GMG_OWN_FIELDS);
  if (centring < GMG_ON_CELLS || centring > GMG_ON_FACES_Z || coarsening < GMG_COARSEN_ARITHMETIC
      || coarsening > GMG_COARSEN_NONE || !values)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_field: '%s': no such centring or coarsening, or no values",
                    name);
  const struct gmg_given *given = &s->problem.given[which];
  if (which == s->problem.givens ? s->set_up
                                 : given->centring != centring || given->coarsening != coarsening)
    return gmg_fail(
      context, GMG_ERR_ORDER,
      "field '%s' was not set like this before the first gmg_solver_setup: its values "
      "alone can be replaced",
      name);
  return gmg_record_field(s, name);
}

static gmg_status set_field(gmg_solver *s, const char *name, gmg_centring centring,
                            gmg_coarsening coarsening, const gmg_array *values)
{
  struct gmg_given given = {.centring = centring, .coarsening = coarsening};
  gmg_status status = check_own(s, name, centring, coarsening, values);
  const int which = status ? 0 : find_own(&s->problem, name), fresh = which == s->problem.givens;
  if (!status) {
    snprintf(given.name, sizeof given.name, "%s", name);
    s->problem.givens += fresh;
    if (fresh)
      s->problem.given[which] = given;
    status = copy_given(s, which, values, &given);
  }
  const struct gmg_same same = {
    .call = "gmg_solver_set_field",
    .choice = {{"the name of the field", 0, &name},
               {"its centring and coarsening", (int)centring * 8 + (int)coarsening, NULL}}};
  status = gmg_same(s->context, status, &same);
  if (!status)
    status = accept(&s->problem, which, &given);
  else
    gmg_free(given.copy);
  if (status && fresh && which)
    s->problem.given[--s->problem.givens] = (struct gmg_given){.present = 0};
  return status;
}

gmg_status gmg_solver_set_field(gmg_solver *solver, const char *name, gmg_centring centring,
                                gmg_coarsening coarsening, const gmg_array *values)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  const gmg_status status = set_field(solver, name ? name : "", centring, coarsening, values);
  gmg_account(outer);
  return status;
}

int gmg_taken_with(int c)
{
  return c == GMG_ALPHA ? GMG_TAKE_ALPHA : c < GMG_COEFFICIENTS ? GMG_TAKE_BETA : GMG_TAKE_OWN;
}

int gmg_coefficients_lost(const struct gmg_problem *p, int take)
{
  int lost = 0;
  for (int c = 0; c < p->givens; c++)
    lost |= p->has[c] && !p->given[c].present ? gmg_taken_with(c) : 0;
  return lost & take;
}

int gmg_coefficients_given(const struct gmg_problem *p)
{
  int given = 0;
  for (int c = 0; c < p->givens; c++)
    given |= p->given[c].present ? gmg_taken_with(c) : 0;
  return given;
}

int gmg_coefficients_replaced(const struct gmg_problem *p)
{
  int replaced = 0;
  for (int c = 0; c < p->givens; c++)
    replaced |= p->given[c].fresh;
  return replaced;
}
