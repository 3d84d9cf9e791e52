/* Preconditions: none. What must vanish: the difference between what a solve says of itself and
 * what was arranged: zero right sides, bad values, limits, divergence, stagnation, guesses,
 * strides; and the bytes that a solve allocates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { N = 12, CELLS = N * N * N };

struct bench {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  double f[CELLS], u[CELLS];
  gmg_array f_array, u_array;
  gmg_result result;
};

static struct bench *begin(gmg_boundary kind, double value)
{
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  struct bench *b = calloc(1, sizeof *b);
  assert_int_equal(gmg_context_create(1, &b->context), GMG_OK);
  assert_int_equal(gmg_grid_create(b->context, cells, lower, upper, &b->grid), GMG_OK);
  for (int side = 0; side < 6; side++)
    assert_int_equal(gmg_grid_set_boundary(b->grid, (gmg_side)side, kind, 0, 0, value), GMG_OK);
  assert_int_equal(gmg_solver_create(b->grid, &b->solver), GMG_OK);
  b->f_array = (gmg_array){b->f, {1, N, N * N}};
  b->u_array = (gmg_array){b->u, {1, N, N * N}};
  for (int n = 0; n < CELLS; n++)
    b->f[n] = sin(0.37 * n) + 0.2;
  return b;
}

static void end(struct bench *b)
{
  gmg_solver_destroy(&b->solver);
  gmg_grid_destroy(&b->grid);
  gmg_context_destroy(&b->context);
  assert_null(b->solver);
  free(b);
}

static gmg_outcome solve(struct bench *b, int use_guess)
{
  assert_int_equal(gmg_solver_solve(b->solver, &b->f_array, &b->u_array, use_guess, &b->result),
                   GMG_OK);
  printf("%s: %s\n", gmg_outcome_text(b->result.outcome), b->result.reason);
  assert_true(strlen(b->result.reason) > 10);
  return b->result.outcome;
}

static double largest(const double *values)
{
  double most = 0;
  for (int n = 0; n < CELLS; n++)
    most = fmax(most, fabs(values[n]));
  return most;
}

static void zero_right_side(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 0);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  memset(b->f, 0, sizeof b->f);
  for (int n = 0; n < CELLS; n++)
    b->u[n] = 3;
  assert_int_equal(solve(b, 1), GMG_CONVERGED);
  assert_int_equal(b->result.cycles, 0);
  assert_true(b->result.relative_residual == 0 && largest(b->u) == 0);
  end(b);
}

static void singular_constant(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_NEUMANN, 0);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  for (int n = 0; n < CELLS; n++)
    b->f[n] = 0.7;
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  assert_true(b->result.singular && fabs(b->result.projected - 0.7) < 1e-14);
  assert_true(b->result.relative_residual == 0 && largest(b->u) == 0);
  for (int n = 0; n < CELLS; n++)
    b->f[n] = sin(0.37 * n) + 0.2;
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  double mean = 0;
  for (int n = 0; n < CELLS; n++)
    mean += b->u[n] / CELLS;
  printf("mean of u %.1e, of its size %.1e\n", mean, largest(b->u));
  assert_true(fabs(mean) < 1e-13 * largest(b->u) + 1e-300);
  end(b);
}

static void not_finite(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 0);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  b->f[100] = NAN;
  assert_int_equal(solve(b, 0), GMG_NOT_FINITE);
  b->f[100] = INFINITY;
  assert_int_equal(solve(b, 0), GMG_NOT_FINITE);
  b->f[100] = 1;
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  b->u[7] = NAN;
  assert_int_equal(solve(b, 1), GMG_NOT_FINITE);
  end(b);
}

static void recovers(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_NEUMANN, 0);
  assert_int_equal(gmg_solver_set_option(b->solver, "smoother", "chebyshev"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "bottom", "bicgstab"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "bottom-cells", "100"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  const double norm = b->result.residual_history[b->result.cycles];
  b->u[7] = NAN;
  assert_int_equal(solve(b, 1), GMG_NOT_FINITE);
  for (int n = 0; n < CELLS; n++)
    b->u[n] = 1e300 * (n % 3);
  solve(b, 1);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  assert_true(b->result.residual_history[b->result.cycles] == norm);
  end(b);
}

static void limits(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 1);
  assert_int_equal(gmg_solver_set_option(b->solver, "max-cycles", "3"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_MAX_CYCLES);
  assert_int_equal(b->result.cycles, 3);
  end(b);

  b = begin(GMG_DIRICHLET, 1);
  assert_int_equal(gmg_solver_set_option(b->solver, "rtol", "1e-18"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "max-cycles", "40"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_ROUNDING_LIMIT);
  assert_true(b->result.relative_residual < 1e-13);
  assert_true(b->result.cycles < 15);
  /* Where no tolerance is asked for all cycles are run. */
  assert_int_equal(gmg_solver_set_option(b->solver, "rtol", "0"), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_MAX_CYCLES);
  assert_int_equal(b->result.cycles, 40);
  end(b);

  b = begin(GMG_DIRICHLET, 1);
  assert_int_equal(gmg_solver_set_option(b->solver, "smoother", "jacobi"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "omega", "1.9"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_DIVERGED);
  end(b);

  b = begin(GMG_DIRICHLET, 1);
  assert_int_equal(gmg_solver_set_option(b->solver, "rtol", "0"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "atol", "1e-3"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "norm", "max"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  assert_true(b->result.residual_history[b->result.cycles] <= 1e-3);
  end(b);
}

static void guesses(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 2);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  const int cycles = b->result.cycles;
  assert_int_equal(solve(b, 1), GMG_CONVERGED);
  assert_int_equal(b->result.cycles, 0);
  for (int n = 0; n < CELLS; n++)
    b->u[n] *= 1 + 1e-6;
  assert_int_equal(solve(b, 1), GMG_CONVERGED);
  assert_true(b->result.cycles < cycles);
  end(b);
}

static void strides(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 2);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  double *wide = calloc(2 * (size_t)CELLS, sizeof *wide), *turned = calloc(CELLS, sizeof *turned);
  for (int n = 0; n < CELLS; n++)
    wide[2 * (CELLS - 1 - n)] = b->f[n];
  gmg_array f = {wide + 2 * (CELLS - 1), {-2, -2 * N, -2 * N * N}}, u = {turned, {N * N, N, 1}};
  assert_int_equal(gmg_solver_solve(b->solver, &f, &u, 0, &b->result), GMG_OK);
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++)
        assert_true(turned[k + N * (j + N * i)] == b->u[i + N * (j + N * k)]);
  free(wide);
  free(turned);
  end(b);
}

static void allocates_nothing(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_PERIODIC, 0);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  solve(b, 0);
  const size_t before = mallinfo2().uordblks;
  solve(b, 0);
  const size_t after = mallinfo2().uordblks;
  printf("%zu bytes before, %zu after\n", before, after);
  assert_true(after == before);
  assert_true(gmg_solver_bytes(b->solver) > (int64_t)(3 * CELLS * sizeof(double)));
  end(b);
}

static void rejected_intact(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 0);
  gmg_array values = {b->u, {1, N, N * N}};
  assert_int_equal(gmg_solver_solve(b->solver, &b->f_array, &b->u_array, 0, &b->result),
                   GMG_ERR_ORDER);
  assert_int_equal(gmg_solver_set_option(b->solver, "smother", "gsrb"), GMG_ERR_OPTION);
  assert_non_null(strstr(gmg_context_message(b->context), "'smoother'"));
  assert_int_equal(gmg_solver_set_option(b->solver, "pre", "-1"), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_option(b->solver, "backend", "opencl"), GMG_ERR_OPTION);
  for (int n = 0; n < CELLS; n++)
    b->u[n] = 1;
  b->u[5 + N * (3 + N * 2)] = -1;
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA, &values), GMG_ERR_COEFFICIENT);
  assert_non_null(strstr(gmg_context_message(b->context), "(5, 3, 2)"));
  assert_int_equal(gmg_solver_set_equation(b->solver, 0, -1), GMG_ERR_COEFFICIENT);
  assert_int_equal(gmg_solver_set_option(b->solver, "operator", "unknown"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_ERR_OPTION);
  assert_non_null(strstr(gmg_context_message(b->context), "variable7"));
  assert_int_equal(gmg_solver_set_option(b->solver, "operator", "auto"), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_string_equal(gmg_solver_option(b->solver, "operator"), "constant7");
  assert_int_equal(gmg_solver_set_option(b->solver, "operator", "auto"), GMG_ERR_ORDER);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  end(b);
}

static void negative_alpha(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_DIRICHLET, 0);
  gmg_array values = {b->u, {1, N, N * N}};
  for (int n = 0; n < CELLS; n++)
    b->u[n] = n == 17 ? -0.5 : 1;
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_ALPHA, &values), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(b->solver, 2, 1), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_ERR_COEFFICIENT);
  assert_non_null(strstr(gmg_context_message(b->context), "(5, 1, 0)"));
  assert_int_equal(gmg_solver_set_equation(b->solver, 0, 1), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  assert_int_equal(solve(b, 0), GMG_CONVERGED);
  end(b);
}

static void seam_must_agree(void **state)
{
  (void)state;
  struct bench *b = begin(GMG_PERIODIC, 0);
  double *beta = malloc((size_t)(N + 1) * N * N * sizeof *beta);
  for (int n = 0; n < (N + 1) * N * N; n++)
    beta[n] = 1;
  beta[N + (N + 1) * (4 + N * 3)] = 2; /* the last face of row (4, 3) */
  const gmg_array x = {beta, {1, N + 1, (N + 1) * N}}, y = {beta, {1, N, N * (N + 1)}},
                  z = {beta, {1, N, N * N}};
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA_X, &x), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_ERR_COEFFICIENT);
  assert_non_null(strstr(gmg_context_message(b->context), "all three"));
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA_Y, &y), GMG_OK);
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA_Z, &z), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_ERR_COEFFICIENT);
  printf("%s\n", gmg_context_message(b->context));
  assert_non_null(strstr(gmg_context_message(b->context), "(4, 3)"));
  free(beta);
  end(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(zero_right_side), cmocka_unit_test(singular_constant),
    cmocka_unit_test(not_finite),      cmocka_unit_test(recovers),
    cmocka_unit_test(limits),          cmocka_unit_test(guesses),
    cmocka_unit_test(strides),         cmocka_unit_test(allocates_nothing),
    cmocka_unit_test(rejected_intact), cmocka_unit_test(negative_alpha),
    cmocka_unit_test(seam_must_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
