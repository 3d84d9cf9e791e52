#include "intake.h"

#include "runtime/launch.h"
#include "there.h"

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

const double *gmg_given_data(const struct gmg_given *given)
{
  return given->there ? given->copy : given->values.data;
}

void gmg_given_release(struct gmg_given *given)
{
  gmg_free(given->copy);
  given->copy = NULL;
  if (given->d_copy) {
    gmg_call_wait(given->context); /* which may still read it */
    given->context->backend->free(given->context, given->d_copy);
  }
  given->d_copy = NULL;
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
  const char *name = gmg_given_name(&s->problem, which);
  if (gmg_given_extent(&s->problem, which, extent) && !values->data)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: the array has no data", name);
  const int there = gmg_there_holds(s, values);
  for (int d = 0; d < 3 && there; d++)
    if (values->stride[d] < 0)
      return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                      "%s: a stride is %td: expected none below 0 in the memory of a GPU", name,
                      values->stride[d]);
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
  struct gmg_given gone = status ? *given : before;
  gmg_given_release(&gone);
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
  if (gmg_there_holds(s, values)) {
    given->there = 1;
    given->values = *values;
    return gmg_there_copy(&s->problem, which, given);
  }
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
  gmg_given_release(&given);
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
  const struct gmg_given given = {.present = 1,
                                  .fresh = 1,
                                  .borrowed = 1,
                                  .values = *values,
                                  .there = gmg_there_holds(solver, values)};
  status = accept(&solver->problem, which, &given);
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
    gmg_given_release(&given);
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
