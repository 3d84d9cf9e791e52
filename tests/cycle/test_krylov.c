/* Preconditions: none. What must vanish: the number of problems on which conjugate gradients need
 * more iterations than allowed or than cycles alone; the difference that `auto` makes where cycles
 * alone are fast, and before it turns conjugate gradients on; the bytes that a solve allocates. */
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

#include "solver_notes.h"
#include "solves.h"

static int cycles_with(const struct manufactured *problem, const char *krylov)
{
  return solves_cycles(*problem, SOLVES_OPTIONS("krylov", krylov));
}

/* The balls: at most 15 iterations at 64^3; fewer here. */
static void balls(void **state)
{
  (void)state;
  int failures = 0;
  static const struct {
    double ratio;
    int most;
  } list[] = {{1e-6, 12}, {1e-3, 12}, {30, 13}, {1e3, 15}};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const struct manufactured problem = {
      .cells = {32, 32, 32}, .constant_f = 1, .ball = list[n].ratio};
    const int by_itself = cycles_with(&problem, "auto"), told = cycles_with(&problem, "cg"),
              alone = cycles_with(&problem, "none");
    const int bad =
      by_itself > list[n].most || told > list[n].most || alone < by_itself || alone < told;
    printf("ball of beta %g: %d by itself (at most %d), %d with cg, %d cycles alone%s\n",
           list[n].ratio, by_itself, list[n].most, told, alone, bad ? " <-" : "");
    failures += bad;
  }
  assert_int_equal(failures, 0);
}

static void never_slower(void **state)
{
  (void)state;
  int failures = 0;
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  static const char *const operators[] = {"auto", "variable7", "constant27"};
  for (int o = 0; o < 3; o++)
    for (int b = 0; b < 3; b++) {
      struct manufactured problem = {
        .cells = {24, 17, 30}, .variable = o == 1, .option = {"operator", operators[o]}};
      manufactured_sides(&problem, kinds[b]);
      const int alone = cycles_with(&problem, "none"), cg = cycles_with(&problem, "cg");
      const int bad = cg > alone || cg > 12;
      printf("operator %s, %s: %d cycles, %d with cg%s\n", operators[o],
             b == 0     ? "Dirichlet"
               : b == 1 ? "Neumann"
                        : "periodic",
             alone, cg, bad ? " <-" : "");
      failures += bad;
    }
  assert_int_equal(failures, 0);
}

/* Where β is smooth `auto` is not even ready for it: all bits are those of cycles alone. */
static void auto_leaves_fast_problems(void **state)
{
  (void)state;
  struct manufactured problem = {.cells = {20, 24, 16}, .variable = 1};
  struct manufactured_result r = solves_with(problem, SOLVES_OPTIONS("krylov", "auto")),
                             s = solves_with(problem, SOLVES_OPTIONS("krylov", "none"));
  assert_int_equal(r.result.cycles, s.result.cycles);
  assert_memory_equal(r.u, s.u, (size_t)(20 * 24 * 16) * sizeof(double));
  free(r.u);
  free(s.u);
}

/* What `auto` does: a solve by cycles alone up to where these prove slow, and conjugate gradients
 * from the solution so far. `switched`: the cycle after which it must have done so, at the latest;
 * 0: it must not. */
static int starts_plain_check(const char *what, const struct manufactured *problem, int switched)
{
  struct manufactured_result own = solves_with(*problem, SOLVES_OPTIONS("krylov", "auto")),
                             alone = solves_with(*problem, SOLVES_OPTIONS("krylov", "none")),
                             told = solves_with(*problem, SOLVES_OPTIONS("krylov", "cg"));
  int alike = 0; /* cycles after which the norms agree to the bit; those of a solve that is over
                    agree for ever */
  const int shorter =
    own.result.cycles < alone.result.cycles ? own.result.cycles : alone.result.cycles;
  while (alike < shorter && own.history[alike + 1] == alone.history[alike + 1])
    alike++;
  const int on = alike < shorter;
  const int bad = own.result.outcome != GMG_CONVERGED || on != (switched > 0) || alike < 2
    || (on && alike > switched)
    || (on ? own.result.cycles > told.result.cycles + alike
            || own.result.cycles >= alone.result.cycles
           : own.result.cycles != alone.result.cycles);
  printf("%s: cycles alone for %d, conjugate gradients %s; %d by itself, %d cycles alone, %d with "
         "cg%s\n",
         what, alike, on ? "from there" : "never", own.result.cycles, alone.result.cycles,
         told.result.cycles, bad ? " <-" : "");
  free(own.u);
  free(alone.u);
  free(told.u);
  return bad;
}

static void auto_starts_plain(void **state)
{
  (void)state;
  const struct manufactured hard = {.cells = {32, 32, 32}, .constant_f = 1, .ball = 1e3};
  struct manufactured noise = hard, soft = hard, full = hard, mixed = hard, chebyshev = hard;
  noise.constant_f = 0;
  noise.random_f = 1; /* its first cycles take off a lot, and say nothing */
  manufactured_option(&noise, "cycle", "v");
  soft.ball = 1e-3; /* a strong jump, and fast cycles, of which an iteration costs two */
  soft.cells[0] = soft.cells[1] = soft.cells[2] = 48;
  manufactured_option(&soft, "precision", "mixed");
  manufactured_option(&full, "cycle", "fmg"); /* a start after which W-cycles are fast */
  manufactured_option(&mixed, "precision", "mixed");
  manufactured_option(&mixed, "cycle", "v");
  manufactured_option(&chebyshev, "smoother", "chebyshev");
  int failures = starts_plain_check("ball of 1e3", &hard, 6);
  failures += starts_plain_check("with noise", &noise, 6);
  failures += starts_plain_check("ball of 1e-3", &soft, 0);
  failures += starts_plain_check("full multigrid", &full, 8);
  failures += starts_plain_check("mixed precision, V-cycles", &mixed, 6);
  failures += starts_plain_check("Chebyshev", &chebyshev, 6);
  assert_int_equal(failures, 0);
}

/* One solver: what it says of itself, guesses, recovery, memory. */
static void one_solver(void **state)
{
  (void)state;
  enum { N = 16, CELLS = N * N * N };
  gmg_result result;
  double *beta = malloc(CELLS * sizeof *beta), *f = malloc(CELLS * sizeof *f),
         *u = malloc(CELLS * sizeof *u);
  for (int n = 0; n < CELLS; n++) {
    const int i = n % N, j = n / N % N, k = n / (N * N);
    beta[n] = i > 4 && i < 12 && j > 4 && j < 12 && k > 4 && k < 12 ? 1e4 : 1;
    f[n] = 1;
  }
  gmg_array values = {beta, {1, N, N * N}}, f_array = {f, {1, N, N * N}},
            u_array = {u, {1, N, N * N}};
  gmg_solver *solver = solves_solver(N, (const char *const[]){NULL});
  assert_int_equal(gmg_solver_set_option(solver, "krylov", "gmres"), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &values), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_string_equal(gmg_solver_option(solver, "krylov"), "none");
  size_t before = 0;
  for (int turn = 0; turn < 3; turn++) {
    assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
    assert_int_equal(result.outcome, GMG_CONVERGED);
    assert_string_equal(gmg_solver_option(solver, "krylov"), "cg");
    assert_non_null(solver_note(solver, 0));
    assert_non_null(strstr(solver_note(solver, 0), "conjugate gradients"));
    assert_null(solver_note(solver, 1));
    const size_t now = mallinfo2().uordblks;
    assert_true(turn == 0 || now == before);
    before = now;
  }
  printf("%s\n", solver_note(solver, 0));
  const int cycles = result.cycles;
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 1, &result), GMG_OK);
  assert_int_equal(result.cycles, 0);
  assert_string_equal(gmg_solver_option(solver, "krylov"), "none");
  u[7] = NAN;
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 1, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_NOT_FINITE);
  for (int n = 0; n < CELLS; n++)
    u[n] = n % 7;
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 1, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  assert_int_equal(result.cycles, cycles);
  gmg_solver_destroy(&solver);
  free(beta);
  free(f);
  free(u);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(balls), cmocka_unit_test(never_slower),
                                     cmocka_unit_test(auto_leaves_fast_problems),
                                     cmocka_unit_test(auto_starts_plain),
                                     cmocka_unit_test(one_solver)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
