/* Preconditions: none. What must vanish: the number of problems on which a W- or F-cycle needs more
 * cycles than V, or more than allowed; nearly two-grid cycles do not see the grid's size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "solves.h"

static int cycles_with(const struct manufactured *problem, const char *cycle)
{
  return solves_cycles(*problem, SOLVES_OPTIONS("cycle", cycle));
}

static void w_and_f(void **state)
{
  static const struct {
    struct manufactured problem;
    gmg_boundary kind;
    int most;
    const char *name;
  } list[] = {
    {{.cells = {16, 16, 16}, .random_f = 1}, GMG_DIRICHLET, 7, "16^3"},
    {{.cells = {48, 48, 48}, .random_f = 1}, GMG_DIRICHLET, 7, "48^3"},
    {{.cells = {33, 20, 27}, .variable = 1}, GMG_NEUMANN, 8, "Neumann, odd"},
    {{.cells = {32, 32, 32}, .variable = 1}, GMG_PERIODIC, 8, "periodic"},
    {{.cells = {64, 64, 2}, .variable = 2}, GMG_DIRICHLET, 7, "thin"},
    {{.cells = {24, 24, 24}, .upper = {1, 1, 0.1}, .random_f = 1}, GMG_DIRICHLET, 12, "1 to 0.1"},
    {{.cells = {32, 32, 32}, .constant_f = 1, .ball = 1e-3}, GMG_DIRICHLET, 11, "ball of 1e-3"},
    {{.cells = {1, 1, 1}, .random_f = 1}, GMG_DIRICHLET, 1, "one cell"},
  };
  (void)state;
  int failures = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct manufactured problem = list[n].problem;
    manufactured_sides(&problem, list[n].kind);
    const int v = cycles_with(&problem, "v"), w = cycles_with(&problem, "w"),
              f = cycles_with(&problem, "f");
    const int bad = w > v || f > v || w > f || f > list[n].most;
    printf("%s: V %d, W %d, F %d cycles (F at most %d)%s\n", list[n].name, v, w, f, list[n].most,
           bad ? " <-" : "");
    failures += bad;
  }
  assert_int_equal(failures, 0);
}

/* Spacing 1 : 1 : 0.01 by V-cycles in default settings. */
static void aspect_100(void **state)
{
  (void)state;
  int failures = 0;
  for (int d = 0; d < 3; d++) {
    struct manufactured problem = {.cells = {64, 64, 64}, .upper = {1, 1, 1}, .random_f = 1};
    problem.upper[d] = 0.01;
    const int v = cycles_with(&problem, "v");
    printf("aspect 100 along axis %d: %d cycles (at most 16)%s\n", d, v, v > 16 ? " <-" : "");
    failures += v > 16;
  }
  assert_int_equal(failures, 0);
}

/* Below the finest level a V-cycle's first sweep starts from u = 0 and does not read it; not where
 * cells of a colour are neighbours over a seam, nor with more colours or no sweeps there. */
static void from_zero(void **state)
{
  static const struct {
    struct manufactured problem;
    gmg_boundary kind;
    const char *option[2];
    int sweeps, starts; /* half-sweeps a cycle; whether two of them start from zero */
  } list[] = {{{.cells = {32, 32, 32}, .variable = 1}, GMG_DIRICHLET, {"pre", "2"}, 8, 1},
              {{.cells = {32, 32, 32}}, GMG_PERIODIC, {"post", "1"}, 6, 1},
              {{.cells = {33, 31, 29}, .variable = 1}, GMG_NEUMANN, {"precision", "mixed"}, 8, 1},
              {{.cells = {32, 32, 32}}, GMG_DIRICHLET, {"pre", "0"}, 4, 0},
              {{.cells = {22, 22, 22}}, GMG_PERIODIC, {"pre", "2"}, 8, 0},
              {{.cells = {16, 16, 16}}, GMG_DIRICHLET, {"operator", "constant27"}, 32, 0}};
  (void)state;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct manufactured problem = list[n].problem;
    manufactured_sides(&problem, list[n].kind);
    struct manufactured_result r =
      solves_with(problem, SOLVES_OPTIONS("cycle", "v", list[n].option[0], list[n].option[1]));
    free(r.u);
    const int cycles = r.result.cycles, starts = list[n].starts ? cycles : 0;
    assert_true(cycles > 0);
    assert_int_equal(r.from_zero[0], starts);
    assert_int_equal(r.from_zero[1], starts);
    assert_int_equal(r.from_zero[2], list[n].sweeps * cycles - 2 * starts);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(w_and_f), cmocka_unit_test(aspect_100),
                                     cmocka_unit_test(from_zero)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
