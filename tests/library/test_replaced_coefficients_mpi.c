/* ranks: 1 3
 * needs: mpi */
/* Preconditions: none. What must vanish: the difference, to the last bit, between the solution of a
 * solver whose coefficients were replaced after a solve and that of one which was made with them;
 * and what a refused replacement changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { NI = 20, NJ = 13, NK = 18, KINDS = 5, FIRST = 1, SECOND = 2, LAYERS = 3 };

static gmg_context *context;
static gmg_grid *grid;
static int lower[3], upper[3];

static size_t values_of(gmg_coefficient which, int extent[3])
{
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    extent[d] = upper[d] - lower[d] + ((int)which == (int)GMG_BETA_X + d);
    count *= (size_t)extent[d];
  }
  return count;
}

/* By seed: 1; between 0.1 and 2; layers of 1 and 1000. Global indices; periodic in x. */
static double value(int seed, int i, int j, int k)
{
  if (seed == LAYERS)
    return k / 5 % 2 ? 1000 : 1;
  return seed ? 1.05 + 0.95 * sin(seed * (0.1 + i % NI + 1.7 * j + 2.9 * k)) : 1;
}

static gmg_status give(gmg_solver *solver, gmg_coefficient which, int seed)
{
  int extent[3];
  double *data = malloc(values_of(which, extent) * sizeof *data), *to = data;
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int i = 0; i < extent[0]; i++)
        *to++ = value(seed, i + lower[0], j + lower[1], k + lower[2]);
  const gmg_array array = {data, {1, extent[0], extent[0] * extent[1]}};
  const gmg_status status = gmg_solver_set_coefficient(solver, which, &array);
  free(data);
  return status;
}

static gmg_solver *make(const int seed[KINDS], const char *op)
{
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, 1.5, 1), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "operator", op), GMG_OK);
  /* else layers would be seen when levels are planned, and not by later setups */
  assert_int_equal(gmg_solver_set_option(solver, "anisotropy", "1,1,1"), GMG_OK);
  for (int c = 0; c < KINDS; c++)
    if (seed[c] >= 0)
      assert_int_equal(give(solver, (gmg_coefficient)c, seed[c]), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

static double *solve(gmg_solver *solver)
{
  int extent[3];
  const size_t count = values_of(GMG_ALPHA, extent);
  double *f = malloc(count * sizeof *f), *u = malloc(count * sizeof *u);
  for (size_t n = 0; n < count; n++)
    f[n] = sin(0.3 * (double)n) + 0.3;
  const gmg_array right_side = {f, {1, extent[0], extent[0] * extent[1]}};
  gmg_array solution = {u, {1, extent[0], extent[0] * extent[1]}};
  gmg_result result;
  assert_int_equal(gmg_solver_solve(solver, &right_side, &solution, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  free(f);
  return u;
}

static void assert_same_solutions(gmg_solver *a, gmg_solver *b, const char *what)
{
  int extent[3];
  double *of_a = solve(a), *of_b = solve(b);
  size_t differ = 0;
  const size_t count = values_of(GMG_ALPHA, extent);
  for (size_t n = 0; n < count; n++)
    differ += memcmp(of_a + n, of_b + n, sizeof *of_a) != 0;
  printf("%s: %zu of %zu values differ\n", what, differ, count);
  free(of_a);
  free(of_b);
  assert_int_equal(differ, 0);
}

/* Made with the seeds `before`, of which those that differ in `after` are replaced. */
static void check(const char *what, const int before[KINDS], const int after[KINDS], const char *op)
{
  gmg_solver *replaced = make(before, op), *made = make(after, op);
  free(solve(replaced));
  for (int round = 0; round < 2; round++) { /* the second replaces values by the same */
    for (int c = 0; c < KINDS; c++)
      if (after[c] != before[c])
        assert_int_equal(give(replaced, (gmg_coefficient)c, after[c]), GMG_OK);
    assert_int_equal(gmg_solver_setup(replaced), GMG_OK);
  }
  assert_same_solutions(replaced, made, what);
  assert_true(gmg_solver_bytes(replaced) == gmg_solver_bytes(made));
  gmg_solver_destroy(&replaced);
  gmg_solver_destroy(&made);
}

static void replaced(void **state)
{
  (void)state;
  check("beta on cells", (int[]){FIRST, FIRST, -1, -1, -1}, (int[]){FIRST, SECOND, -1, -1, -1},
        "variable7");
  check("alpha", (int[]){FIRST, FIRST, -1, -1, -1}, (int[]){SECOND, FIRST, -1, -1, -1},
        "variable7");
  check("beta on faces", (int[]){-1, -1, 1, 1, 1}, (int[]){-1, -1, 2, 2, 2}, "variable7");
  check("both", (int[]){FIRST, -1, 1, 1, 1}, (int[]){SECOND, -1, 2, 2, 2}, "variable7");
  check("alpha becomes uniform", (int[]){FIRST, FIRST, -1, -1, -1}, (int[]){0, SECOND, -1, -1, -1},
        "variable7");
  check("beta begins to jump", (int[]){-1, FIRST, -1, -1, -1}, (int[]){-1, LAYERS, -1, -1, -1},
        "variable7");
  check("beta jumps no more", (int[]){-1, LAYERS, -1, -1, -1}, (int[]){-1, FIRST, -1, -1, -1},
        "variable7");
  check("alpha, 27 points", (int[]){FIRST, -1, -1, -1, -1}, (int[]){SECOND, -1, -1, -1, -1},
        "constant27");
}

static void refused(void **state)
{
  (void)state;
  static const int seeds[KINDS] = {FIRST, FIRST, -1, -1, -1};
  gmg_solver *tried = make(seeds, "variable7"), *made = make(seeds, "variable7");
  assert_int_equal(give(tried, GMG_ALPHA, 0), GMG_OK);
  assert_int_equal(gmg_solver_setup(tried), GMG_ERR_ORDER);
  assert_non_null(strstr(gmg_context_message(context), "needs beta again"));
  assert_same_solutions(tried, made, "after a refused uniform alpha");
  assert_int_equal(give(tried, GMG_BETA_X, SECOND), GMG_ERR_ORDER);
  assert_non_null(strstr(gmg_context_message(context), "was not set before"));
  assert_int_equal(gmg_solver_setup(tried), GMG_OK);
  assert_same_solutions(tried, made, "after a refused beta on faces");
  gmg_solver_destroy(&tried);
  gmg_solver_destroy(&made);
}

int main(int argc, char **argv)
{
  static const int cells[3] = {NI, NJ, NK};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed = gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context)
    || gmg_grid_create(context, cells, zero, one, &grid);
  if (!failed) {
    gmg_grid_part(grid, lower, upper);
    gmg_grid_set_boundary(grid, GMG_X_LO, GMG_PERIODIC, 0, 0, 0);
    gmg_grid_set_boundary(grid, GMG_X_HI, GMG_PERIODIC, 0, 0, 0);
    gmg_grid_set_boundary(grid, GMG_Y_LO, GMG_NEUMANN, 0, 0, 0.5);
    gmg_grid_set_boundary(grid, GMG_Z_HI, GMG_DIRICHLET, 0, 0, 2);
    const struct CMUnitTest tests[] = {cmocka_unit_test(replaced), cmocka_unit_test(refused)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  MPI_Finalize();
  return failed != 0;
}
