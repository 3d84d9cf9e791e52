/* What may change between solves without a setup: a and b, boundary values. */
#include "problem/solver.h"

#include "cycle/boundary.h"
#include "setup/intake.h"
#include "cycle/fmg.h"
#include "setup/hierarchy.h"
#include "setup/placement.h"
#include "problem/same.h"

#include <math.h>

/* After a setup. Coefficients that were replaced since wait for the next one, and a and b with
 * them. */
static gmg_status change_equation(gmg_solver *s, double a, double b)
{
  struct gmg_problem *p = &s->problem;
  const double before_a = p->a, before_b = p->b;
  p->next_a = a;
  p->next_b = b;
  p->equation_waits = gmg_coefficients_replaced(p);
  const int take = (a != before_a ? GMG_TAKE_ALPHA : 0) | (b != before_b ? GMG_TAKE_BETA : 0);
  if (p->equation_waits || !take)
    return GMG_OK;
  p->a = a;
  p->b = b;
  const gmg_status status = gmg_setup_again(s, take);
  if (status > 0) {
    p->a = before_a;
    p->b = before_b;
  } else {
    s->set_up = !status;
  }
  if (status < 0)
    gmg_hierarchy_destroy(s);
  return status;
}

gmg_status gmg_solver_set_equation(gmg_solver *solver, double a, double b)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  gmg_status status = GMG_OK;
  if (!isfinite(a) || !isfinite(b) || !(b > 0))
    status = gmg_fail(solver->context, GMG_ERR_COEFFICIENT,
                      "a = %g, b = %g: expected finite numbers, b > 0", a, b);
  if (!solver->set_up && !status) {
    solver->problem.a = a;
    solver->problem.b = b;
  }
  if (!solver->set_up)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  const struct gmg_same same = {.call = "gmg_solver_set_equation",
                                .solver = solver,
                                .number = {{"the new a", a}, {"the new b", b}}};
  status = gmg_same(solver->context, status, &same);
  if (!status)
    status = change_equation(solver, a, b);
  gmg_account(outer);
  return status;
}

/* What a side's new values add to the right sides of all levels. */
static gmg_status take_values(gmg_solver *s, int side, int had)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const int has = gmg_grid_side_has_values(s->problem.grid, side);
  if (!had && !has)
    return GMG_OK;
  gmg_call_wait(s->context);
  if (had && has && s->problem.op->boundary == GMG_FOLDED_CONDUCTANCES) {
    const gmg_status status = gmg_boundary_renew(h, side, gmg_fmg_prepared(h) ? h->levels : 1);
    if (!status && s->placement.attached)
      s->placement.backend->renew_sources(&s->placement);
    return status ? status : gmg_agree(s->context, gmg_device_status(s->context));
  }
  gmg_placement_detach(s, GMG_KEEP_COEFFICIENTS);
  gmg_status status = gmg_boundary_remake(h);
  if (!status)
    status = gmg_fmg_boundary(h);
  return status ? status : gmg_placement_attach(s);
}

/* One value, or all of them. */
static gmg_status set_side(gmg_grid *grid, gmg_side side, double value, const double *values)
{
  const struct gmg_grid_side *wall = &grid->side[side];
  return values ? gmg_grid_set_boundary_values(grid, side, values)
                : gmg_grid_set_boundary(grid, side, wall->kind, wall->c0, wall->c1, value);
}

static gmg_status check_side(const gmg_grid *grid, gmg_side side)
{
  if ((int)side < 0 || (int)side > 5)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "a boundary value was set: there is no side %d", (int)side);
  if (grid->side[side].kind == GMG_PERIODIC)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "a boundary value was set: side %d is periodic", (int)side);
  return GMG_OK;
}

/* A number that tells values apart. */
static double digest_of(const gmg_grid *grid, gmg_side side, double value, const double *values)
{
  const size_t count = values ? gmg_grid_side_faces(grid, (int)side) : 0;
  double sum = value;
  for (size_t n = 0; n < count; n++)
    sum = 0.75 * sum + values[n];
  return sum;
}

static gmg_status set_values(gmg_solver *s, gmg_side side, double value, const double *values)
{
  struct gmg_memory *outer = gmg_account(&s->memory);
  gmg_grid *grid = s->problem.grid;
  gmg_status status = check_side(grid, side);
  if (!s->set_up) {
    status = status ? status : set_side(grid, side, value, values);
  } else {
    const struct gmg_same same = {.call = values ? "gmg_solver_set_boundary_values"
                                                 : "gmg_solver_set_boundary_value",
                                  .solver = s,
                                  .choice = {{"side", (int)side, NULL}},
                                  .number = {{values ? "some boundary value" : "the boundary value",
                                              status ? 0 : digest_of(grid, side, value, values)}}};
    status = gmg_same(s->context, status, &same);
    const int had = !status && gmg_grid_side_has_values(grid, (int)side);
    if (!status)
      status = gmg_agree(s->context, set_side(grid, side, value, values));
    if (!status)
      status = take_values(s, (int)side, had);
  }
  gmg_account(outer);
  return status;
}

gmg_status gmg_solver_set_boundary_value(gmg_solver *solver, gmg_side side, double value)
{
  return solver ? set_values(solver, side, value, NULL) : GMG_ERR_ARGUMENT;
}

gmg_status gmg_solver_set_boundary_values(gmg_solver *solver, gmg_side side, const double *values)
{
  if (!solver || !values)
    return solver ? gmg_fail(solver->context, GMG_ERR_ARGUMENT,
                             "gmg_solver_set_boundary_values: values is NULL")
                  : GMG_ERR_ARGUMENT;
  return set_values(solver, side, 0, values);
}
