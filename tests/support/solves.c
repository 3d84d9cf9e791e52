#include "solves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

gmg_context *solves_context;

int solves_begin(void **state)
{
  (void)state;
  return gmg_context_create(0, &solves_context);
}

int solves_end(void **state)
{
  (void)state;
  gmg_context_destroy(&solves_context);
  return 0;
}

struct manufactured_result solves_with(struct manufactured problem, const char *const options[])
{
  for (int n = 0; options[n]; n += 2)
    manufactured_option(&problem, options[n], options[n + 1]);
  struct manufactured_result r = manufactured_solve(solves_context, &problem);
  assert_int_equal(r.status, GMG_OK);
  return r;
}

int solves_cycles(struct manufactured problem, const char *const options[])
{
  struct manufactured_result r = solves_with(problem, options);
  free(r.u);
  return r.result.outcome != GMG_CONVERGED ? SOLVES_NOT_CONVERGED : r.result.cycles;
}

gmg_solver *solves_solver(int n, const char *const options[])
{
  const int cells[3] = {n, n, n};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid;
  gmg_solver *solver;
  assert_int_equal(gmg_grid_create(solves_context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  for (int o = 0; options[o]; o += 2)
    assert_int_equal(gmg_solver_set_option(solver, options[o], options[o + 1]), GMG_OK);
  return solver;
}
