/* Coefficients in the memory of a GPU, against the same on the host. What must vanish: differences
 * of the messages that refuse a value, and of the bits of solutions; what a caller's array holds
 * after it was copied; memory of the host of which the GPU's levels have no need.
 *
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { N = 64, CELLS = N * N * N };

static double values[2][CELLS], f[CELLS], u[2][CELLS];
static const ptrdiff_t stride[3] = {1, N, N *N};

static gmg_array dense(double *data)
{
  return (gmg_array){data, {stride[0], stride[1], stride[2]}};
}

static gmg_context *open_context(gmg_grid **grid)
{
  gmg_context *context;
  assert_int_equal(gmg_context_create(2, &context), GMG_OK);
  assert_int_equal(gmg_grid_create(context, (const int[3]){N, N, N}, (const double[3]){0, 0, 0},
                                   (const double[3]){1, 1, 1}, grid),
                   GMG_OK);
  return context;
}

static gmg_solver *new_solver(gmg_grid *grid, const char *backend)
{
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "backend", backend), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "coarse", "gpu"), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, 1.7, 1), GMG_OK);
  return solver;
}

/* α and β of a smooth kind, or α of one value. */
static void fill(int uniform)
{
  for (int n = 0; n < CELLS; n++) {
    values[0][n] = uniform ? 0.3 : 1.5 + sin(0.01 * n);
    values[1][n] = 2 + cos(0.003 * n);
    f[n] = sin(0.05 * n);
  }
}

/* Sets α and β and sets up; there: from arrays of the GPU's, which are overwritten before the
 * setup. Returns the first status that is not good. */
static gmg_status set_up(gmg_solver *solver, int there)
{
  gmg_status status = GMG_OK;
  for (int n = 0; n < 2; n++) {
    gmg_array array = dense(values[n]), d_array = array, other = dense(f);
    if (there) {
      assert_int_equal(gmg_solver_array_create(solver, &d_array), GMG_OK);
      assert_int_equal(gmg_solver_array_copy(solver, &array, &d_array), GMG_OK);
    }
    if (!status)
      status = gmg_solver_set_coefficient(solver, n ? GMG_BETA : GMG_ALPHA, &d_array);
    if (there) {
      assert_int_equal(gmg_solver_array_copy(solver, &other, &d_array), GMG_OK);
      gmg_solver_array_destroy(solver, &d_array);
    }
  }
  return status ? status : gmg_solver_setup(solver);
}

static void bits_are_the_cpus(void **state)
{
  gmg_grid *grid;
  gmg_context *context = open_context(&grid);
  (void)state;
  for (int uniform = 0; uniform < 2; uniform++) {
    fill(uniform);
    for (int gpu = 0; gpu < 2; gpu++) {
      gmg_solver *solver = new_solver(grid, gpu ? "cuda" : "openmp");
      gmg_result result;
      const gmg_array right_side = dense(f);
      gmg_array solution = dense(u[gpu]);
      assert_int_equal(set_up(solver, gpu), GMG_OK);
      const double bytes = (double)gmg_solver_bytes(solver) / CELLS;
      assert_int_equal(gmg_solver_solve(solver, &right_side, &solution, 0, &result), GMG_OK);
      assert_int_equal(result.outcome, GMG_CONVERGED);
      if (gpu) {
        printf("alpha %s: %.2f bytes of the host per unknown\n", uniform ? "uniform" : "varies",
               bytes);
        gmg_memory_info memory;
        assert_int_equal(gmg_solver_memory(solver, &memory), GMG_OK);
        printf("predicted %lld, held %lld\n", (long long)memory.predicted, (long long)memory.peak);
        assert_true(bytes < 6);
        assert_true(memory.peak <= memory.predicted);
        assert_true((double)memory.predicted < 21.0 * CELLS);
      }
      gmg_solver_destroy(&solver);
    }
    int differ = 0;
    for (int n = 0; n < CELLS; n++)
      differ += memcmp(&u[0][n], &u[1][n], sizeof(double)) != 0;
    printf("%d values differ\n", differ);
    assert_int_equal(differ, 0);
  }
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

/* A value that is not allowed, and one after it. */
static void refusals_are_the_hosts(void **state)
{
  static const struct {
    int which;
    double value;
  } bad[] = {{0, -1e-300}, {0, NAN}, {0, INFINITY},  {1, 0},      {1, -0.0},
             {1, -2},      {1, NAN}, {1, -INFINITY}, {0, 1.2e308}};
  gmg_grid *grid;
  gmg_context *context = open_context(&grid);
  (void)state;
  for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
    char message[2][400];
    fill(0);
    values[bad[n].which][3 * N * N + 5 * N + 7] = bad[n].value;
    values[bad[n].which][30 * N * N] = bad[n].value;
    for (int gpu = 0; gpu < 2; gpu++) {
      gmg_solver *solver = new_solver(grid, gpu ? "cuda" : "openmp");
      assert_int_equal(set_up(solver, gpu), GMG_ERR_COEFFICIENT);
      snprintf(message[gpu], sizeof message[gpu], "%s", gmg_context_message(context));
      gmg_solver_destroy(&solver);
    }
    printf("%s\n", message[1]);
    assert_non_null(strstr(message[0], "(7, 5, 3)"));
    assert_string_equal(message[0], message[1]);
  }
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

/* Where the host computes coefficients of levels, for an operator with formulas for ghosts, they
 * are copied to it, which is said. */
static void the_host_says_so(void **state)
{
  gmg_grid *grid;
  gmg_context *context = open_context(&grid);
  gmg_solver *solver = new_solver(grid, "cuda");
  gmg_array array = dense(values[0]), d_array;
  (void)state;
  fill(0);
  assert_int_equal(gmg_solver_array_create(solver, &d_array), GMG_OK);
  assert_int_equal(gmg_solver_array_copy(solver, &array, &d_array), GMG_OK);
  assert_int_equal(gmg_solver_borrow_coefficient(solver, GMG_ALPHA, &d_array), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "operator", "constant27"), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  const char *said = gmg_solver_fallback(solver, 0);
  printf("%s\n", said ? said : "nothing");
  assert_non_null(said);
  assert_non_null(strstr(said, "copied to the host"));
  gmg_solver_array_destroy(solver, &d_array);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bits_are_the_cpus),
    cmocka_unit_test(refusals_are_the_hosts),
    cmocka_unit_test(the_host_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
