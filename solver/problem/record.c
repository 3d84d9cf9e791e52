#include "record.h"

#include <string.h>

static gmg_status judge(gmg_solver *s, const char *failed)
{
  return gmg_agree(s->context,
                   failed ? gmg_fail(s->context, GMG_ERR_RECORDER, "%s", failed) : GMG_OK);
}

gmg_status gmg_record_coefficient(gmg_solver *s, gmg_coefficient which, const gmg_array *values)
{
  if (s->report.recorder.coefficient && gmg_device_holds(s->context, values->data))
    return gmg_fail(s->context, GMG_ERR_RECORDER,
                    "a coefficient in the memory of a GPU cannot be recorded");
  return s->report.recorder.coefficient
    ? judge(s, s->report.recorder.coefficient(s->report.recorder.user, s, which, values))
    : GMG_OK;
}

gmg_status gmg_record_borrowed(gmg_solver *s, int take)
{
  gmg_status status = GMG_OK;
  for (int c = 0; c < GMG_COEFFICIENTS && !status; c++)
    if (s->problem.given[c].borrowed && take & (c == GMG_ALPHA ? GMG_TAKE_ALPHA : GMG_TAKE_BETA))
      status = gmg_record_coefficient(s, (gmg_coefficient)c, &s->problem.given[c].values);
  return status;
}

gmg_status gmg_record_field(gmg_solver *s, const char *name)
{
  const int records = s->report.recorder.coefficient || s->report.recorder.solve;
  return records
    ? gmg_fail(s->context, GMG_ERR_RECORDER,
               "field '%s' of an operator of the application's own cannot be recorded: "
               "problem files hold alpha and beta alone",
               name)
    : GMG_OK;
}

gmg_status gmg_record_solve(gmg_solver *s, const gmg_array *f, const gmg_array *guess)
{
  if (s->problem.givens > GMG_COEFFICIENTS && s->report.recorder.solve)
    return gmg_record_field(s, s->problem.given[GMG_COEFFICIENTS].name);
  return s->report.recorder.solve
    ? judge(s, s->report.recorder.solve(s->report.recorder.user, s, f, guess))
    : GMG_OK;
}

gmg_status gmg_solver_set_recorder(gmg_solver *solver, const gmg_recorder *recorder)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  solver->report.recorder = recorder ? *recorder : (gmg_recorder){0};
  return GMG_OK;
}

gmg_status gmg_solver_describe(const gmg_solver *solver, gmg_description *description)
{
  if (!solver || !description)
    return GMG_ERR_ARGUMENT;
  const gmg_grid *grid = solver->problem.grid;
  *description = (gmg_description){
    .a = solver->problem.a, .b = solver->problem.b, .average = solver->problem.average};
  memcpy(description->has, solver->problem.has, sizeof description->has);
  memcpy(description->cells, grid->cells, sizeof description->cells);
  memcpy(description->lower, grid->lower, sizeof description->lower);
  memcpy(description->upper, grid->upper, sizeof description->upper);
  memcpy(description->part_lower, grid->part_lower, sizeof description->part_lower);
  memcpy(description->part_upper, grid->part_upper, sizeof description->part_upper);
  for (int d = 0; d < 3; d++)
    description->faces[d] = grid->faces[d];
  for (int n = 0; n < 6; n++) {
    const struct gmg_grid_side *side = &grid->side[n];
    description->side[n].kind = side->kind;
    description->side[n].c0 = side->c0;
    description->side[n].c1 = side->c1;
    description->side[n].value = side->value;
    description->side[n].values = side->values;
  }
  return GMG_OK;
}
