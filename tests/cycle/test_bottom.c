/* Preconditions: none; without LAPACK the direct method must be refused by name. What must vanish:
 * the number of problems, regular and singular, that one bottom solver makes slower than another;
 * the residual that the direct one leaves of a grid that is all bottom, also after its coefficients
 * were replaced; the difference between the sweeps that run and those that bottom-sweeps asks for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "solves.h"
#include "transforms.h"

/* All methods on the same coarsest levels: about the same number of cycles. Sweeps only where they
 * come near the solution: not with jumps. */
static int compare(const struct manufactured *problem, int sweeps, const char *name)
{
  static const char *const methods[] = {"sweeps", "cg", "bicgstab", "direct"},
                           *const cells[] = {"512", "30"};
  int failures = 0;
  for (int c = 0; c < 2; c++) {
    int least = SOLVES_NOT_CONVERGED, most = 0;
    printf("%s, down to %s cells:", name, cells[c]);
    for (int m = !sweeps; m < (GMG_WITH_LAPACK ? 4 : 3); m++) {
      const int cycles =
        solves_cycles(*problem, SOLVES_OPTIONS("bottom", methods[m], "bottom-cells", cells[c]));
      least = cycles < least ? cycles : least;
      most = cycles > most ? cycles : most;
      printf(" %d with %s", cycles, methods[m]);
    }
    const int bad = most > least + 1 || most == SOLVES_NOT_CONVERGED;
    printf("%s\n", bad ? " <-" : "");
    failures += bad;
  }
  return failures;
}

static void all_methods(void **state)
{
  (void)state;
  int failures = 0;
  struct manufactured problem = {.cells = {32, 32, 32}, .variable = 1};
  failures += compare(&problem, 1, "Dirichlet, smooth beta");
  problem = (struct manufactured){.cells = {21, 17, 30}};
  manufactured_sides(&problem, GMG_NEUMANN);
  failures += compare(&problem, 1, "Neumann, singular");
  problem = (struct manufactured){.cells = {27, 20, 33}, .variable = 1};
  manufactured_sides(&problem, GMG_PERIODIC);
  failures += compare(&problem, 1, "periodic, singular");
  problem = (struct manufactured){.cells = {24, 24, 24}, .option = {"operator", "constant27"}};
  manufactured_sides(&problem, GMG_NEUMANN);
  failures += compare(&problem, 1, "27 points, Neumann");
  problem = (struct manufactured){.cells = {24, 24, 24}, .variable = 1, .option = {"cycle", "fmg"}};
  failures += compare(&problem, 1, "full multigrid");
  problem = (struct manufactured){
    .cells = {32, 32, 32}, .constant_f = 1, .ball = 1e3, .option = {"krylov", "cg"}};
  failures += compare(&problem, 0, "ball of 1e3");
  assert_int_equal(failures, 0);
}

/* A constant operator's coarsest level by transforms: as many cycles as by sweeps; a grid that is
 * all bottom: one. */
static void transforms(void **state)
{
  static const char *const operators[] = {"constant7", "constant27"},
                           *const precisions[] = {"double", "mixed"};
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  int failures = 0;
  (void)state;
  if (!transforms_available())
    skip();
  for (int n = 0; n < 12; n++) {
    struct manufactured problem = {.cells = {32, 24, 16},
                                   .option = {"operator", operators[n % 2], "rtol", "1e-9"}};
    manufactured_option(&problem, "precision", precisions[n / 2 % 2]);
    manufactured_sides(&problem, kinds[n / 4]);
    const int swept = solves_cycles(problem, SOLVES_OPTIONS("bottom", "sweeps")),
              cycles =
                solves_cycles(problem, SOLVES_OPTIONS("bottom", "fft", "bottom-cells", "200")),
              whole = solves_cycles(problem,
                                    SOLVES_OPTIONS("bottom", "fft", "bottom-cells", "100000",
                                                   "max-cycles", "2", "cycle", "v"));
    const int bad = cycles > swept + 1 || whole > 1 + n / 2 % 2;
    printf("%s, %s, sides %d: %d cycles by sweeps, %d by fft; of all cells %d%s\n",
           operators[n % 2], precisions[n / 2 % 2], n / 4, swept, cycles, whole, bad ? " <-" : "");
    failures += bad;
  }
  assert_int_equal(failures, 0);
}

/* What it does not serve: another operator, Robin sides, and coarse levels with a narrower cell. */
static void transforms_refused(void **state)
{
  static const char *const words[] = {"bottom: 'fft' needs operator constant7 or constant27",
                                      "found robin at", "cells of width"};
  (void)state;
  if (!transforms_available())
    skip();
  for (int n = 0; n < 3; n++) {
    struct manufactured problem = {.cells = {24, 24, n == 2 ? 25 : 24},
                                   .variable = n == 0,
                                   .option = {"bottom", "fft", "bottom-cells", "2000"}};
    if (n == 1)
      manufactured_sides(&problem, GMG_ROBIN);
    assert_int_equal(manufactured_solve(solves_context, &problem).status, GMG_ERR_UNSUPPORTED);
    assert_non_null(strstr(gmg_context_message(solves_context), words[n]));
  }
}

/* Grids that are all bottom: one cycle is the direct solve. */
static void direct_is_exact(void **state)
{
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_ROBIN};
  (void)state;
  int failures = 0;
  if (!GMG_WITH_LAPACK)
    skip();
  for (int o = 0; o < 3; o++)
    for (int b = 0; b < 4; b++) {
      static const char *const operators[] = {"constant7", "variable7", "constant27"};
      struct manufactured problem = {
        .cells = {9, 7, 8}, .variable = o == 1 ? 2 : 0, .option = {"bottom", "direct"}};
      manufactured_option(&problem, "operator", operators[o]);
      manufactured_option(&problem, "max-cycles", "1");
      manufactured_option(&problem, "rtol", "1e-12");
      manufactured_sides(&problem, kinds[b]);
      struct manufactured_result r = manufactured_solve(solves_context, &problem);
      const int bad =
        r.status || r.result.outcome != GMG_CONVERGED || r.result.singular != (b == 1 || b == 2);
      printf("%s, sides %d: relative residual %.1e%s\n", operators[o], b,
             r.result.relative_residual, bad ? " <-" : "");
      failures += bad;
      free(r.u);
    }
  assert_int_equal(failures, 0);
}

static void replaced_coefficients(void **state)
{
  (void)state;
  static double beta[512], f[512], u[512];
  gmg_array beta_array = {beta, {1, 8, 64}}, f_array = {f, {1, 8, 64}}, u_array = {u, {1, 8, 64}};
  gmg_result result;
  if (!GMG_WITH_LAPACK)
    skip();
  gmg_solver *solver =
    solves_solver(8, SOLVES_OPTIONS("bottom", "direct", "bottom-cells", "512", "max-cycles", "1"));
  for (int turn = 0; turn < 3; turn++) {
    for (int n = 0; n < 512; n++) {
      beta[n] = 1 + turn * (n % 5);
      f[n] = 1;
    }
    assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &beta_array), GMG_OK);
    assert_int_equal(gmg_solver_setup(solver), GMG_OK);
    assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
    printf("turn %d: %s\n", turn, result.reason);
    assert_int_equal(result.outcome, GMG_CONVERGED);
  }
  assert_string_equal(gmg_solver_option(solver, "bottom"), "direct");
  gmg_solver_destroy(&solver);
}

static void refusals(void **state)
{
  (void)state;
  gmg_solver *solver = solves_solver(8, SOLVES_OPTIONS("bottom", "direct", "bottom-cells", "4096"));
  struct manufactured large = {.cells = {16, 16, 16},
                               .option = {"bottom", "direct", "bottom-cells", "4096"}};
  if (GMG_WITH_LAPACK) {
    assert_int_equal(gmg_solver_setup(solver), GMG_OK); /* 512 cells */
    assert_int_equal(manufactured_solve(solves_context, &large).status, GMG_ERR_OPTION);
    assert_non_null(strstr(gmg_context_message(solves_context), "lower bottom-cells"));
  } else {
    assert_int_equal(gmg_solver_setup(solver), GMG_ERR_UNSUPPORTED);
    assert_non_null(strstr(gmg_context_message(solves_context), "LAPACK"));
  }
  gmg_solver_destroy(&solver);
}

/* Half-sweeps of the Gauss-Seidel kernel on the coarsest level in one V-cycle. */
static long long half_sweeps(const char *sweeps, const char *method, int *notes)
{
  static double f[4096], u[4096];
  const gmg_array f_array = {f, {1, 16, 256}};
  gmg_array u_array = {u, {1, 16, 256}};
  gmg_result result;
  long long calls = 0;
  gmg_solver *solver =
    solves_solver(16,
                  SOLVES_OPTIONS("bottom", method, "bottom-cells", "64", "bottom-sweeps", sweeps,
                                 "cycle", "v", "krylov", "none", "max-cycles", "1", "rtol", "0"));
  for (int n = 0; n < 4096; n++)
    f[n] = 1;
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  assert_int_equal(result.cycles, 1);
  const int coarsest = gmg_solver_levels(solver) - 1;
  for (int n = 0; n < gmg_solver_kernels(solver, coarsest); n++) {
    gmg_kernel_info info;
    assert_int_equal(gmg_solver_kernel_info(solver, coarsest, n, &info), GMG_OK);
    if (strstr(info.name, "gauss_seidel"))
      calls += info.calls;
  }
  *notes = 0;
  for (int n = 0; gmg_solver_fallback(solver, n); n++)
    *notes += strstr(gmg_solver_fallback(solver, n), "bottom-sweeps") != NULL;
  gmg_solver_destroy(&solver);
  return calls;
}

static void counted_sweeps(void **state)
{
  static const struct {
    const char *sweeps, *method;
    long long calls;
    int notes;
  } all[] = {{"48", "sweeps", 96, 0},    {"1", "sweeps", 2, 0},
             {"600", "sweeps", 1200, 0}, {"auto", "sweeps", 40, 0}, /* 4 + 4 x 4 */
             {"48", "cg", -1, 1},        {"auto", "cg", -1, 0}};
  (void)state;
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
    int notes;
    const long long calls = half_sweeps(all[n].sweeps, all[n].method, &notes);
    printf("bottom %s, bottom-sweeps %s: %lld half-sweeps, %d notes\n", all[n].method,
           all[n].sweeps, calls, notes);
    assert_int_equal(notes, all[n].notes);
    if (all[n].calls >= 0)
      assert_int_equal(calls, all[n].calls);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_methods),
                                     cmocka_unit_test(direct_is_exact),
                                     cmocka_unit_test(replaced_coefficients),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(transforms),
                                     cmocka_unit_test(transforms_refused),
                                     cmocka_unit_test(counted_sweeps)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
