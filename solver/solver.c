#include "solver.h"

#include "coefficients.h"
#include "hierarchy.h"
#include "krylov.h"
#include "openmp/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gmg_status gmg_solver_create(gmg_grid *grid, gmg_solver **solver)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = grid->context;
  if (!solver)
    return gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_solver_create: solver is NULL");
  *solver = NULL;
  gmg_status status = gmg_agree(context, gmg_grid_check(grid));
  if (status)
    return status;
  gmg_solver *s = calloc(1, sizeof *s);
  if (s) {
    s->context = context;
    s->b = 1;
    gmg_options_default(&s->options);
    s->grid = gmg_grid_copy(grid);
  }
  status = !s || !s->grid ? gmg_fail(context, GMG_ERR_MEMORY, "out of memory for a solver") : GMG_OK;
  status = gmg_agree(context, status);
  if (!status)
    status = gmg_hierarchy_bricks(s);
  if (status)
    gmg_solver_destroy(&s);
  *solver = s;
  return status;
}

void gmg_solver_destroy(gmg_solver **solver)
{
  if (!solver || !*solver)
    return;
  gmg_solver *s = *solver;
  gmg_hierarchy_destroy(s);
  gmg_layout_destroy(&s->bricks);
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    free(s->given[c]);
  gmg_grid_destroy(&s->grid);
  free(s);
  *solver = NULL;
}

gmg_status gmg_solver_set_equation(gmg_solver *solver, double a, double b)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (solver->ready)
    return gmg_fail(solver->context, GMG_ERR_ORDER, "gmg_solver_set_equation comes before gmg_solver_setup");
  if (!isfinite(a) || !isfinite(b) || !(b > 0))
    return gmg_fail(solver->context, GMG_ERR_COEFFICIENT, "a = %g, b = %g: expected finite numbers, b > 0", a, b);
  solver->a = a;
  solver->b = b;
  return GMG_OK;
}

gmg_status gmg_solver_set_average(gmg_solver *solver, gmg_average average)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (solver->ready)
    return gmg_fail(solver->context, GMG_ERR_ORDER, "gmg_solver_set_average comes before gmg_solver_setup");
  if (average != GMG_HARMONIC && average != GMG_ARITHMETIC)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "gmg_solver_set_average: no such average");
  solver->average = average;
  return GMG_OK;
}

gmg_status gmg_solver_set_option(gmg_solver *solver, const char *name, const char *value)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (!name || !value)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "gmg_solver_set_option: an argument is NULL");
  if (solver->ready)
    return gmg_fail(solver->context, GMG_ERR_ORDER, "%s: options are fixed by gmg_solver_setup", name);
  char message[sizeof solver->context->message];
  const gmg_status status = gmg_options_set(&solver->options, name, value, message, sizeof message);
  return status ? gmg_fail(solver->context, status, "%s", message) : GMG_OK;
}

gmg_status gmg_solver_set_monitor(gmg_solver *solver, gmg_monitor *monitor, void *user)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  solver->monitor = monitor;
  solver->monitor_user = user;
  return GMG_OK;
}

gmg_status gmg_solver_setup(gmg_solver *solver)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (solver->ready)
    return gmg_fail(solver->context, GMG_ERR_ORDER, "gmg_solver_setup was called already");
  const double begin = gmg_seconds();
  solver->fallbacks = 0;
  gmg_status status = gmg_agree(solver->context, gmg_coefficients_choose(solver));
  if (!status)
    status = gmg_hierarchy_create(solver);
  if (!status)
    status = gmg_coefficients_compute(solver);
  if (!status)
    status = gmg_agree(solver->context, gmg_krylov_bind(solver));
  if (status) {
    gmg_hierarchy_destroy(solver);
    return status;
  }
  for (int c = 0; c < GMG_COEFFICIENTS; c++) {
    free(solver->given[c]);
    solver->given[c] = NULL;
  }
  solver->ready = 1;
  solver->setup_seconds = gmg_seconds() - begin;
  return GMG_OK;
}
