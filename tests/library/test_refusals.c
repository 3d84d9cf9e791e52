/* Preconditions: none. What must vanish: refusals of boundary conditions that do not name the value
 * that was wrong; crashes and waits where a grid is far too large for the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "solves.h"

static void message_has(const char *words)
{
  if (!strstr(gmg_context_message(solves_context), words))
    fail_msg("'%s' lacks '%s'", gmg_context_message(solves_context), words);
}

static void says(gmg_status status, const char *words)
{
  assert_int_equal(status, GMG_ERR_ARGUMENT);
  message_has(words);
}

static void huge(void **state)
{
  static const int cells[3] = {1 << 20, 1 << 20, 1 << 20};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid;
  gmg_solver *solver;
  (void)state;
  assert_int_equal(gmg_grid_create(solves_context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_ERR_MEMORY);
  message_has("this solve needs at least 4.19e+06 TiB");
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

static void boundaries(void **state)
{
  static const int cells[3] = {4, 4, 4};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, values[16] = {0};
  gmg_grid *grid;
  (void)state;
  assert_int_equal(gmg_grid_create(solves_context, cells, lower, upper, &grid), GMG_OK);
  says(gmg_grid_set_boundary(grid, (gmg_side)6, GMG_DIRICHLET, 0, 0, 0),
       "side 6: expected GMG_X_LO (0) to GMG_Z_HI (5)");
  says(gmg_grid_set_boundary(grid, (gmg_side)-1, GMG_DIRICHLET, 0, 0, 0), "side -1");
  says(gmg_grid_set_boundary(grid, GMG_Y_HI, (gmg_boundary)7, 0, 0, 0),
       "y_hi: kind 7: expected GMG_DIRICHLET (0)");
  says(gmg_grid_set_boundary(grid, GMG_Y_HI, (gmg_boundary)-2, 0, 0, 0), "kind -2");
  says(gmg_grid_set_boundary_values(grid, (gmg_side)9, values), "side 9, values given");
  says(gmg_grid_set_boundary_values(grid, GMG_Z_LO, NULL), "side 4, values NULL");
  assert_int_equal(gmg_grid_set_boundary(grid, GMG_Z_HI, GMG_PERIODIC, 0, 0, 0), GMG_OK);
  gmg_grid_destroy(&grid);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(boundaries), cmocka_unit_test(huge)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
