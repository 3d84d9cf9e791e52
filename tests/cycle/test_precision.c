/* Preconditions: none. What must vanish: the number of problems, over kinds of boundary, sizes,
 * coefficients, cycles, smoothers and Krylov methods, on which mixed precision does not reach the
 * tolerance that double reaches, or takes more than one cycle more or less, unless it fell back and
 * says so; and the number of those that fall back without need. And half-sweeps by sums are taken
 * where they should be, and not elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manufactured.h"
#include "solver_notes.h"

static gmg_context *context;

struct outcome {
  int converged, cycles;
  double residual, error;
  char fallback[200];
};

static struct outcome solve(struct manufactured problem, const char *precision, const char *rtol)
{
  manufactured_option(&problem, "precision", precision);
  manufactured_option(&problem, "rtol", rtol);
  struct manufactured_result r = manufactured_solve(context, &problem);
  struct outcome o = {.converged = !r.status && r.result.outcome == GMG_CONVERGED,
                      .cycles = r.result.cycles,
                      .residual = r.result.relative_residual,
                      .error = r.error};
  memcpy(o.fallback, r.fallback, sizeof o.fallback);
  free(r.u);
  return o;
}

static int failures, fallbacks;

/* may_fall_back: single precision cannot do it. */
static void compare(struct manufactured problem, const char *what, int may_fall_back)
{
  static const char *const tolerances[] = {"1e-10", "1e-12"};
  for (int t = 0; t < 2; t++) {
    const struct outcome in_double = solve(problem, "double", tolerances[t]),
                         mixed = solve(problem, "mixed", tolerances[t]);
    const int fell = mixed.fallback[0] != 0, more = mixed.cycles - in_double.cycles;
    const int bad = mixed.converged != in_double.converged || (!fell && (more > 1 || more < -1))
      || (fell && in_double.converged && !may_fall_back)
      || fabs(mixed.error - in_double.error) > 1e-4 * in_double.error + 1e-8;
    printf("%s to %s: %d cycles in double%s, %d mixed%s%s%s\n", what, tolerances[t],
           in_double.cycles, in_double.converged ? "" : " (not reached)", mixed.cycles,
           fell ? ", " : "", mixed.fallback, bad ? " <-" : "");
    failures += bad;
    fallbacks += fell;
  }
}

static void check(void)
{
  const int failed = failures;
  failures = 0;
  assert_int_equal(failed, 0);
}

static void boundaries_and_sizes(void **state)
{
  static const int sizes[][3] = {{32, 32, 32}, {31, 37, 29}, {63, 3, 2}, {250, 2, 17}, {48, 33, 1}};
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  static const char *const names[] = {"Dirichlet", "Neumann", "periodic"};
  (void)state;
  for (int k = 0; k < 3; k++)
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
      for (int variable = 0; variable < 2; variable++) {
        struct manufactured p = {.variable = variable};
        char what[80];
        memcpy(p.cells, sizes[n], sizeof p.cells);
        manufactured_sides(&p, kinds[k]);
        snprintf(what, sizeof what, "%s, %dx%dx%d, %s beta", names[k], p.cells[0], p.cells[1],
                 p.cells[2], variable ? "variable" : "constant");
        compare(p, what, 0);
      }
  check();
}

static void equations(void **state)
{
  (void)state;
  compare((struct manufactured){.cells = {32, 24, 40}, .a = 1, .variable = 1, .variable_alpha = 1},
          "a alpha varies", 0);
  compare((struct manufactured){.cells = {32, 24, 40}, .a = 1e6, .b = 1e-3}, "a 1e6, b 1e-3", 0);
  compare((struct manufactured){.cells = {32, 24, 40}, .b = 1e-30}, "b 1e-30", 0);
  compare((struct manufactured){.cells = {32, 24, 40}, .b = 1e30, .variable = 2},
          "b 1e30, beta on cells", 0);
  compare((struct manufactured){.cells = {32, 24, 40},
                                .upper = {1e-12, 1e-12, 2e-12},
                                .option = {"cycle", "v"}},
          "1e-12 long", 0);
  compare((struct manufactured){.cells = {32, 24, 40}, .upper = {1e12, 1e12, 2e12}, .variable = 1},
          "1e12 long", 0);
  compare((struct manufactured){.cells = {24, 24, 24}, .upper = {1, 1, 0.03}}, "flat", 0);
  compare((struct manufactured){.cells = {24, 24, 24}, .stretch = 1.15, .variable = 1}, "stretched",
          0);
  struct manufactured neumann = {.cells = {24, 20, 28}, .a = 1e-3, .variable = 1};
  manufactured_sides(&neumann, GMG_NEUMANN);
  compare(neumann, "nearly singular", 0);
  check();
}

static void methods(void **state)
{
  static const char *const options[][4] = {{"cycle", "v"},
                                           {"cycle", "w"},
                                           {"cycle", "f"},
                                           {"cycle", "fmg"},
                                           {"smoother", "jacobi"},
                                           {"smoother", "chebyshev"},
                                           {"krylov", "cg"},
                                           {"krylov", "bicgstab"},
                                           {"bottom", "cg"},
                                           {"bottom", "direct"},
                                           {"bottom", "bicgstab"},
                                           {"operator", "constant27"},
                                           {"operator", "constant27", "smoother", "chebyshev"},
                                           {"rows", "plain"},
                                           {"norm", "max"},
                                           {"pre", "1", "post", "0"},
                                           {"box", "16"},
                                           {"box", "16", "operator", "constant27"},
                                           {"interpolation", "constant"},
                                           {"smoother", "jacobi", "passes", "all"},
                                           {"smoother", "chebyshev", "passes", "all"}};
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  (void)state;
  for (size_t n = 0; n < sizeof options / sizeof *options; n++)
    for (int kind = 0; kind < 3; kind++) {
      const int singular = kinds[kind] != GMG_DIRICHLET;
      struct manufactured p = {.cells = {32, 32, 30}, .variable = kinds[kind] == GMG_PERIODIC};
      char what[80];
      if (kinds[kind] == GMG_PERIODIC && options[n][0][0] != 's') /* of the smoothers alone */
        continue;
      manufactured_sides(&p, kinds[kind]);
      for (int o = 0; o < 4 && options[n][o]; o += 2)
        manufactured_option(&p, options[n][o], options[n][o + 1]);
      const char *word[4];
      for (int o = 0; o < 4; o++)
        word[o] = options[n][o] ? options[n][o] : "";
      snprintf(what, sizeof what, "%s %s %s %s%s", word[0], word[1], word[2], word[3],
               kinds[kind] == GMG_PERIODIC ? ", periodic"
                 : singular                ? ", singular"
                                           : "");
      compare(p, what, 0);
    }
  check();
}

static void jumps(void **state)
{
  static const double ratios[] = {1e-6, 1e-3, 0.1, 10, 1e3, 1e6};
  (void)state;
  for (size_t n = 0; n < sizeof ratios / sizeof *ratios; n++)
    for (int random = 0; random < 2; random++) {
      /* from the start: when `auto` turns them on depends on what a cycle costs in a precision */
      struct manufactured p = {.cells = {32, 32, 32},
                               .ball = ratios[n],
                               .random_f = random,
                               .constant_f = !random,
                               .option = {"krylov", "cg"}};
      char what[80];
      snprintf(what, sizeof what, "ball of beta %g, %s right side", ratios[n],
               random ? "random" : "constant");
      compare(p, what, ratios[n] > 1e3);
    }
  check();
}

/* Where float overflows the precision is raised, and the solution is that of double. */
static void overflow(void **state)
{
  (void)state;
  const int before = fallbacks;
  compare((struct manufactured){.cells = {24, 24, 24}, .ball = 1e-60, .random_f = 1},
          "ball of beta 1e-60", 1);
  compare((struct manufactured){.cells = {24, 24, 24}, .ball = 1e60, .constant_f = 1},
          "ball of beta 1e60", 1);
  printf("%d fallbacks\n", fallbacks - before);
  assert_true(fallbacks - before >= 2);
  check();
}

/* A solver whose precision was raised stays with double: solves, coefficients that are replaced,
 * the memory it predicted. */
static void after_overflow(void **state)
{
  enum { N = 20, CELLS = N * N * N };
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  static double beta[CELLS], f[CELLS], u[CELLS];
  const gmg_array betas = {beta, {1, N, N * N}}, right_side = {f, {1, N, N * N}};
  gmg_array solution = {u, {1, N, N * N}};
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_result result;
  gmg_memory_info memory;
  (void)state;
  for (int n = 0; n < CELLS; n++) {
    const int i = 2 * (n % N) - N, j = 2 * (n / N % N) - N, k = 2 * (n / (N * N)) - N;
    beta[n] = i * i + j * j + k * k < N * N / 4 ? 1e-60 : 1;
    f[n] = sin(1.0 + n);
  }
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_grid_set_boundary(grid, GMG_Z_HI, GMG_DIRICHLET, 0, 0, 1.5), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_option(solver, "precision", "mixed"), GMG_OK);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  int64_t held = 0;
  for (int turn = 0; turn < 4; turn++) {
    if (turn == 2) {
      for (int n = 0; n < CELLS; n++)
        beta[n] = 1 + 0.5 * sin(0.01 * n);
      assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), GMG_OK);
      assert_int_equal(gmg_solver_setup(solver), GMG_OK);
    }
    memset(u, 0, sizeof u);
    assert_int_equal(gmg_solver_solve(solver, &right_side, &solution, turn == 3, &result), GMG_OK);
    assert_int_equal(gmg_solver_memory(solver, &memory), GMG_OK);
    printf("solve %d: %s, %d cycles, %.2f MB of %.2f predicted; %s\n", turn, result.reason,
           result.cycles, 1e-6 * (double)memory.peak, 1e-6 * (double)memory.predicted,
           solver_note(solver, 0));
    assert_int_equal(result.outcome, GMG_CONVERGED);
    assert_non_null(strstr(solver_note(solver, 0), "precision mixed: cycles in double"));
    if (turn % 2 == 0)
      held = memory.now;
    assert_true(memory.now == held);
    assert_true(memory.peak <= memory.predicted + memory.predicted / 20);
  }
  gmg_solver_destroy(&solver);
}

/* Left to the solver: single from 64^3 cells up, double below. */
static void by_itself(void **state)
{
  static const struct {
    int cells[3];
    const char *same_as;
  } list[] = {{{64, 64, 64}, "mixed"}, {{64, 64, 63}, "double"}};
  (void)state;
  for (int n = 0; n < 2; n++) {
    struct manufactured problem = {.variable = 1};
    memcpy(problem.cells, list[n].cells, sizeof problem.cells);
    struct manufactured_result r[2];
    r[0] = manufactured_solve(context, &problem);
    manufactured_option(&problem, "precision", list[n].same_as);
    r[1] = manufactured_solve(context, &problem);
    assert_int_equal(r[0].result.cycles, r[1].result.cycles);
    assert_memory_equal(r[0].history, r[1].history,
                        sizeof(double) * (size_t)(r[0].result.cycles + 1));
    assert_string_equal(r[0].fallback, "");
    free(r[0].u);
    free(r[1].u);
  }
}

/* Half-sweeps by sums: in single precision every other two, but where cells are long; in double
 * none. */
static void by_sums(void **state)
{
  static const struct {
    struct manufactured problem;
    const char *precision;
    int sums;
  } list[] = {{{.cells = {32, 32, 32}}, "mixed", 1},
              {{.cells = {32, 32, 32}, .variable = 1}, "mixed", 1},
              {{.cells = {32, 32, 32}}, "double", 0},
              {{.cells = {24, 24, 24}, .upper = {1, 1, 0.03}}, "mixed", 0},
              {{.cells = {32, 32, 32}, .option = {"operator", "constant27"}}, "mixed", 0}};
  (void)state;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct manufactured problem = list[n].problem;
    manufactured_option(&problem, "precision", list[n].precision);
    struct manufactured_result r = manufactured_solve(context, &problem);
    free(r.u);
    assert_int_equal(r.status, GMG_OK);
    assert_true(r.half_sweeps[0] > 0);
    assert_int_equal(r.half_sweeps[1], list[n].sums ? r.half_sweeps[0] : 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boundaries_and_sizes),
    cmocka_unit_test(equations),
    cmocka_unit_test(methods),
    cmocka_unit_test(jumps),
    cmocka_unit_test(overflow),
    cmocka_unit_test(after_overflow),
    cmocka_unit_test(by_itself),
    cmocka_unit_test(by_sums),
  };
  if (gmg_context_create(0, &context))
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return failed;
}
