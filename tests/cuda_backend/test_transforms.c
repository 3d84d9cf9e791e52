/* Preconditions: a device, or the CPU standing in for one; a build with KissFFT. What must vanish:
 * solves by method fft that do not compute on the host where there is a device, arrays that the
 * library gives for them elsewhere, and devices that solvers by multigrid lose by that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solves.h"
#include "transforms.h"

static const struct transforms_case problem = {{16, 12, 9}, "dnppnn", 1, 1, "constant7", 0};

enum { CELLS = 16 * 12 * 9 };

static void solve(gmg_solver *solver, gmg_grid *grid, double *solution)
{
  gmg_array f = transforms_array(grid, &problem, 1), u = transforms_array(grid, &problem, -1), own;
  gmg_result result;
  assert_int_equal(gmg_solver_array_create(solver, &own), GMG_OK);
  assert_int_equal(gmg_solver_array_copy(solver, &f, &own), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &own, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  memcpy(solution, u.data, CELLS * sizeof *solution);
  gmg_solver_array_destroy(solver, &own);
  free(f.data);
  free(u.data);
}

static void on_the_host(void **state)
{
  static double u[3][CELLS];
  double most = 0;
  gmg_array early;
  gmg_solver *solver;
  gmg_grid *grid = transforms_grid(solves_context, &problem);
  (void)state;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "method", "fft"), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, problem.a, problem.b), GMG_OK);
  assert_int_equal(gmg_solver_array_create(solver, &early), GMG_OK); /* before the setup */
  early.data[0] = early.data[CELLS - 1] = 1;                         /* the host may touch it */
  gmg_solver_array_destroy(solver, &early);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_string_equal(gmg_solver_option(solver, "backend"), "openmp");
  solve(solver, grid, u[0]);
  gmg_solver_destroy(&solver);
  const char *const device[] = {"backend", "cuda", NULL},
                    *const host[] = {"backend", "openmp", NULL};
  solver = transforms_solver(grid, &problem, "multigrid", device);
  assert_string_equal(gmg_solver_option(solver, "backend"), "cuda");
  gmg_array f = transforms_array(grid, &problem, 1), v = transforms_array(grid, &problem, -1);
  gmg_result result;
  assert_int_equal(gmg_solver_solve(solver, &f, &v, 0, &result), GMG_OK);
  memcpy(u[1], v.data, sizeof u[1]);
  gmg_solver_destroy(&solver);
  solver = transforms_solver(grid, &problem, "fft", host);
  solve(solver, grid, u[2]);
  gmg_solver_destroy(&solver);
  assert_memory_equal(u[0], u[2], sizeof u[0]);
  for (int n = 0; n < CELLS; n++)
    most = fmax(most, fabs(u[0][n] - u[1][n]));
  printf("fft on the host beside multigrid on the device: %.2e\n", most);
  assert_true(most <= 1e-8);
  gmg_grid_destroy(&grid);
  free(f.data);
  free(v.data);
}

static int has_device(void)
{
  gmg_context *context;
  int found = 0;
  if (gmg_context_create(0, &context) == GMG_OK)
    gmg_context_device(context, &found);
  gmg_context_destroy(&context);
  return found;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_host)};
  return has_device() && transforms_available()
    ? cmocka_run_group_tests(tests, solves_begin, solves_end)
    : 77;
}
