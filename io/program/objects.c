#include "objects.h"

#include <string.h>

#include "common/parallel.h"

static gmg_status set_side(gmg_grid *grid, gmg_side s, const struct problem_side *side)
{
  const gmg_status status =
    gmg_grid_set_boundary(grid, s, side->kind, side->c0, side->c1, side->value);
  return status || !side->has_values ? status : gmg_grid_set_boundary_values(grid, s, side->values);
}

int objects_grid(const struct arguments *arguments, const struct problem *problem,
                 gmg_context **context, gmg_grid **grid, struct failure *failure)
{
  gmg_status status = parallel_context(arguments->threads, context);
  if (!status && arguments->isa)
    status = gmg_context_set_isa(*context, arguments->isa);
  if (!status && arguments->wisdom)
    status = gmg_context_load_wisdom(
      *context, strcmp(arguments->wisdom, ARGUMENTS_NO_WISDOM) == 0 ? NULL : arguments->wisdom);
  if (!status)
    status = gmg_grid_create(*context, problem->cells, problem->lower, problem->upper, grid);
  for (int d = 0; d < 3 && !status; d++)
    if (problem->stretched[d])
      status = gmg_grid_set_faces(*grid, d, problem->faces[d]);
  for (int s = 0; s < 6 && !status; s++)
    status = set_side(*grid, (gmg_side)s, &problem->side[s]);
  return parallel_refused(*context, status, failure);
}

int objects_solver(const struct arguments *arguments, const struct problem *problem,
                   gmg_context *context, gmg_grid *grid, gmg_solver **solver,
                   struct failure *failure)
{
  gmg_status status = gmg_solver_create(grid, solver);
  if (!status)
    status = gmg_solver_set_equation(*solver, problem->a, problem->b);
  if (!status)
    status = gmg_solver_set_average(*solver, problem->average);
  for (int n = 0; n < arguments->solver_options && !status; n++)
    status = gmg_solver_set_option(*solver, arguments->solver_name[n], arguments->solver_value[n]);
  return parallel_refused(context, status, failure);
}
