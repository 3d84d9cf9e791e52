/* ranks: 1 3 */
/* Preconditions: a build with KissFFT. What must vanish, to the last bit: the difference between
 * solves by method fft after a, b, alpha or boundary values were changed, and those of a solver
 * made anew with them. Exactly: memory that solves take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "transforms.h"

static gmg_context *context;

static const struct transforms_case problem = {{14, 11, 9}, "nnnnpp", 0, 1, "constant7", 0};

static size_t own_cells(const gmg_grid *grid)
{
  int lower[3], upper[3];
  gmg_grid_part(grid, lower, upper);
  return (size_t)(upper[0] - lower[0]) * (size_t)(upper[1] - lower[1])
    * (size_t)(upper[2] - lower[2]);
}

static void give_alpha(gmg_solver *solver, const gmg_grid *grid, double value)
{
  gmg_array alpha = transforms_array(grid, &problem, -1);
  for (size_t n = 0; n < own_cells(grid); n++)
    alpha.data[n] = value;
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_ALPHA, &alpha), GMG_OK);
  free(alpha.data);
}

/* a, b, alpha (0: none) and the value of x_hi. */
struct set {
  double a, b, alpha, value;
};

static gmg_solver *anew(gmg_grid *grid, const struct set *set)
{
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "method", "fft"), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, set->a, set->b), GMG_OK);
  if (set->alpha != 0)
    give_alpha(solver, grid, set->alpha);
  assert_int_equal(gmg_solver_set_boundary_value(solver, GMG_X_HI, set->value), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

/* The solver changed must give the bits of one made with the same. */
static void compare(gmg_grid *grid, gmg_solver *changed, const struct set *set)
{
  gmg_array f = transforms_array(grid, &problem, 1), u = transforms_array(grid, &problem, 2),
            v = transforms_array(grid, &problem, 2);
  gmg_result result;
  gmg_solver *solver = anew(grid, set);
  assert_int_equal(gmg_solver_solve(solver, &f, &v, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.singular, set->a == 0);
  const int64_t bytes = gmg_solver_bytes(changed);
  assert_int_equal(gmg_solver_solve(changed, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(gmg_solver_bytes(changed), bytes);
  assert_int_equal(result.cycles, 1);
  assert_memory_equal(u.data, v.data, own_cells(grid) * sizeof(double));
  gmg_solver_destroy(&solver);
  free(f.data);
  free(u.data);
  free(v.data);
}

static void changes(void **state)
{
  struct set set = {0, 1, 0, 0.5};
  gmg_grid *grid = transforms_grid(context, &problem);
  (void)state;
  gmg_solver *solver = anew(grid, &set);
  compare(grid, solver, &set);
  set.a = 3; /* no longer singular */
  assert_int_equal(gmg_solver_set_equation(solver, set.a, set.b), GMG_OK);
  compare(grid, solver, &set);
  set.b = 0.25;
  assert_int_equal(gmg_solver_set_equation(solver, set.a, set.b), GMG_OK);
  compare(grid, solver, &set);
  set.value = -2;
  assert_int_equal(gmg_solver_set_boundary_value(solver, GMG_X_HI, set.value), GMG_OK);
  compare(grid, solver, &set);
  set.a = 0; /* singular again */
  assert_int_equal(gmg_solver_set_equation(solver, set.a, set.b), GMG_OK);
  compare(grid, solver, &set);
  gmg_solver_destroy(&solver);
  set = (struct set){2, 1, 3, 0};
  solver = anew(grid, &set);
  compare(grid, solver, &set);
  set.alpha = 5;
  give_alpha(solver, grid, set.alpha);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  compare(grid, solver, &set);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes)};
  struct gmg_comm comm;
  if (ranks_start(&argc, &argv, &comm))
    return 1;
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 2, &context) != GMG_OK;
#else
  int failed = gmg_context_create(2, &context) != GMG_OK;
#endif
  if (!failed)
    failed = transforms_available() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}
