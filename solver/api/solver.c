#include "problem/solver.h"

#include "problem/arrays.h"

#include "setup/intake.h"
#include "setup/hierarchy.h"
#include "setup/owned_fields.h"
#include "problem/same.h"

#include <stdlib.h>

gmg_status gmg_solver_create(gmg_grid *grid, gmg_solver **solver)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = grid->context;
  gmg_status status = gmg_grid_check(grid);
  if (!solver)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_solver_create: solver is NULL");
  else
    *solver = NULL;
  status = gmg_same(context, status, &(struct gmg_same){.call = "gmg_solver_create", .grid = grid});
  if (status)
    return status;
  gmg_solver *s = calloc(1, sizeof *s);
  struct gmg_memory *outer = gmg_account(s ? &s->memory : NULL);
  if (s) {
    s->memory.bytes = s->memory.peak = (int64_t)sizeof *s;
    s->context = context;
    s->number = ++context->solvers;
    s->hierarchy.context = context;
    s->placement.context = context;
    s->hierarchy.problem = &s->problem;
    s->hierarchy.memory = &s->memory;
    s->problem.b = 1;
    s->problem.givens = GMG_COEFFICIENTS;
    gmg_options_default(&s->problem.options);
    s->problem.grid = gmg_grid_copy(grid);
  }
  status = !s || !s->problem.grid ? gmg_no_memory(context, "for a solver") : GMG_OK;
  status = gmg_agree(context, status);
  if (!status)
    status = gmg_arrays_bricks(s->problem.grid, &s->arrays.bricks);
  gmg_account(outer);
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
  struct gmg_memory *outer = gmg_account(&s->memory);
  gmg_hierarchy_destroy(s);
  gmg_owned_drop(s);
  gmg_layout_destroy(&s->arrays.bricks);
  for (int c = 0; c < s->problem.givens; c++)
    gmg_given_release(&s->problem.given[c]);
  gmg_grid_destroy(&s->problem.grid);
  gmg_account(outer);
  free(s);
  *solver = NULL;
}
