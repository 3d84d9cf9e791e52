/* Preconditions: none. What must vanish: the number of problems, regular and singular, on which
 * BiCGStab (two cycles an iteration) takes more iterations than conjugate gradients or more than
 * allowed, has another solution than cycles alone, or says another residual than the true one;
 * breakdowns that are not named; bytes that a solve allocates. */
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

#include "solves.h"

static struct manufactured_result solve(const struct manufactured *problem, const char *krylov)
{
  return solves_with(*problem, SOLVES_OPTIONS("krylov", krylov, "rtol", "1e-11"));
}

static double difference(const struct manufactured *problem, const double *u, const double *v)
{
  double most = 0, size = 0;
  for (int n = 0; n < problem->cells[0] * problem->cells[1] * problem->cells[2]; n++) {
    most = fmax(most, fabs(u[n] - v[n]));
    size = fmax(size, fabs(v[n]));
  }
  return most / size;
}

/* Returns 1 on failure. most: iterations allowed. */
static int compare(const struct manufactured *problem, int most, const char *name)
{
  struct manufactured_result alone = solve(problem, "none"), cg = solve(problem, "cg"),
                             r = solve(problem, "bicgstab");
  const double apart = difference(problem, r.u, alone.u);
  const int bad = r.result.outcome != GMG_CONVERGED || r.result.cycles > most
    || r.result.cycles > cg.result.cycles || apart > 1e-8
    || r.history[r.result.cycles] > 1e-11 * r.result.initial_norm;
  printf("%s: %d cycles alone, %d iterations of cg, %d of bicgstab (at most %d), solutions %.1e "
         "apart%s\n",
         name, alone.result.cycles, cg.result.cycles, r.result.cycles, most, apart,
         bad ? " <-" : "");
  free(alone.u);
  free(cg.u);
  free(r.u);
  return bad;
}

static void against_cg(void **state)
{
  (void)state;
  int failures = 0;
  struct manufactured problem = {.cells = {32, 32, 32}, .variable = 1};
  failures += compare(&problem, 3, "Dirichlet, smooth beta");
  problem = (struct manufactured){.cells = {24, 17, 30}, .option = {"operator", "constant27"}};
  failures += compare(&problem, 4, "27 points");
  problem =
    (struct manufactured){.cells = {24, 17, 30}, .variable = 2, .a = 3, .variable_alpha = 1};
  manufactured_sides(&problem, GMG_ROBIN);
  failures += compare(&problem, 3, "Robin, alpha");
  problem = (struct manufactured){.cells = {20, 24, 28}};
  manufactured_sides(&problem, GMG_NEUMANN);
  failures += compare(&problem, 4, "Neumann, singular");
  problem = (struct manufactured){.cells = {33, 20, 27}, .variable = 1};
  manufactured_sides(&problem, GMG_PERIODIC);
  failures += compare(&problem, 5, "periodic, singular, odd");
  problem = (struct manufactured){.cells = {32, 32, 32}, .constant_f = 1, .ball = 1e3};
  failures += compare(&problem, 6, "ball of 1e3");
  problem.ball = 1e-3;
  failures += compare(&problem, 4, "ball of 1e-3");
  assert_int_equal(failures, 0);
}

struct seen {
  int calls, cycle;
  double relative;
};

static void watch(void *user, int cycle, double norm, double relative, double seconds)
{
  struct seen *seen = user;
  (void)norm;
  (void)seconds;
  assert_int_equal(cycle, seen->calls);
  seen->calls++;
  seen->cycle = cycle;
  seen->relative = relative;
}

enum { N = 16, CELLS = N * N * N };

static gmg_solver *set_up(const char *const options[])
{
  gmg_solver *solver = solves_solver(N, options);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

/* History, monitor, what it says of itself; the second and third solve allocate nothing and give
 * the same bits. */
static void one_solver(void **state)
{
  (void)state;
  static double f[CELLS], u[CELLS], first[CELLS];
  gmg_array f_array = {f, {1, N, N * N}}, u_array = {u, {1, N, N * N}};
  gmg_result result;
  gmg_solver *solver = set_up(SOLVES_OPTIONS("krylov", "bicgstab"));
  size_t before = 0;
  for (int turn = 0; turn < 3; turn++) {
    struct seen seen = {0};
    for (int n = 0; n < CELLS; n++)
      f[n] = sin(n % N) + n / N % N;
    gmg_solver_set_monitor(solver, watch, &seen);
    assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
    assert_int_equal(result.outcome, GMG_CONVERGED);
    assert_int_equal(seen.cycle, result.cycles);
    assert_true(seen.relative == result.relative_residual);
    assert_string_equal(gmg_solver_option(solver, "krylov"), "bicgstab");
    if (turn == 0)
      memcpy(first, u, sizeof u);
    assert_memory_equal(first, u, sizeof u);
    const size_t now = mallinfo2().uordblks;
    assert_true(turn == 0 || now == before);
    before = now;
    /* another right side in between: nothing of it may stay */
    gmg_solver_set_monitor(solver, NULL, NULL);
    for (int n = 0; n < CELLS; n++)
      f[n] = 1e20 * (n % 3);
    assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  }
  gmg_solver_set_monitor(solver, NULL, NULL);
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 1, &result), GMG_OK);
  assert_int_equal(result.cycles, 0);
  gmg_solver_destroy(&solver);
}

/* Without sweeps the coarser level sees nothing of a checkerboard: the cycle gives no direction. */
static void breakdown(void **state)
{
  (void)state;
  static double f[CELLS], u[CELLS];
  gmg_array f_array = {f, {1, N, N * N}}, u_array = {u, {1, N, N * N}};
  gmg_result result;
  gmg_solver *solver =
    set_up(SOLVES_OPTIONS("krylov", "bicgstab", "cycle", "v", "pre", "0", "post", "0"));
  for (int n = 0; n < CELLS; n++)
    f[n] = (n % N + n / N % N + n / (N * N)) % 2 ? -1 : 1;
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  printf("%s: %s\n", gmg_outcome_text(result.outcome), result.reason);
  assert_int_equal(result.outcome, GMG_STALLED);
  assert_int_equal(result.cycles, 1);
  assert_non_null(strstr(result.reason, "broke down in iteration 1"));
  assert_non_null(strstr(result.reason, "sigma"));
  for (int n = 0; n < CELLS; n++)
    assert_true(u[n] == 0);
  gmg_solver_destroy(&solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_cg), cmocka_unit_test(one_solver),
                                     cmocka_unit_test(breakdown)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
