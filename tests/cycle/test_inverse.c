/* Preconditions: none. What must vanish: the residual that the inverse leaves on the coarsest level
 * of grids of every shape, kind of boundary, operator and precision, also after its coefficients,
 * or a alone, were replaced; the cycles that it costs more than levels down to one cell, with a so
 * small that single precision loses it beside the diagonal, too; more than one call of it in a
 * visit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/bottom.h"
#include "cycle/smooth.h"
#include "problem/solver.h"
#include "solves.h"

enum { MOST_CELLS = 12 * 12 * 12 };

struct shape {
  int cells[3], coarsest[3];
};

static gmg_solver *make(const int cells[3], gmg_boundary kind, double a,
                        const char *const options[])
{
  static const double lower[3] = {0, 0, 0};
  double upper[3];
  gmg_grid *grid;
  gmg_solver *solver;
  for (int d = 0; d < 3; d++)
    upper[d] = cells[d];
  assert_int_equal(gmg_grid_create(solves_context, cells, lower, upper, &grid), GMG_OK);
  for (int side = 0; side < 6; side++) {
    const gmg_boundary of_side = cells[side / 2] == 1 ? GMG_NEUMANN : kind;
    assert_int_equal(gmg_grid_set_boundary(grid, (gmg_side)side, of_side, 1.5, 0.7, 0), GMG_OK);
  }
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_equation(solver, a, 1), GMG_OK);
  for (int o = 0; options[o]; o += 2)
    assert_int_equal(gmg_solver_set_option(solver, options[o], options[o + 1]), GMG_OK);
  return solver;
}

static void set_beta(gmg_solver *solver, const int cells[3], int turn)
{
  static double beta[MOST_CELLS];
  gmg_array array = {beta, {1, cells[0], (ptrdiff_t)cells[0] * cells[1]}};
  for (int n = 0; n < MOST_CELLS; n++)
    beta[n] = 1 + 0.5 * sin(n + turn);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &array), GMG_OK);
}

static double pattern(int i, int j, int k)
{
  return 1.3 * i - 2 * j + 0.7 * k + 3.1 * i * j - 1.7 * j * k + 0.3;
}

/* The residual on the level where cycles end, over that of u = 0. Of a singular problem f has the
 * sum 0. */
static double residual(gmg_solver *solver)
{
  struct gmg_hierarchy *h = &solver->hierarchy;
  struct gmg_cycle_level *bottom = &h->level[gmg_bottom_level(h)];
  struct gmg_level *level = bottom->level;
  const int *cells = level->box[0].cells;
  const double count = (double)level->cells;
  double sum = 0;
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++)
        sum += pattern(i, j, k);
  gmg_call_run(bottom->zero);
  gmg_call_wait(h->context);
  void **f = gmg_level_open(level, GMG_NAME_F, GMG_CHANGE)->box;
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++)
        gmg_level_put(level, f[0], gmg_offset(&level->box[0], i, j, k),
                      pattern(i, j, k) - (h->problem->singular ? sum / count : 0));
  gmg_reducer_forget(&bottom->norm);
  const double first = gmg_reduce(&bottom->norm, NULL);
  gmg_bottom_solve(h, gmg_bottom_level(h));
  gmg_reducer_forget(&bottom->norm);
  return sqrt(gmg_reduce(&bottom->norm, NULL) / first);
}

static int check(gmg_solver *solver, const struct shape *shape, const char *what)
{
  const struct gmg_hierarchy *h = &solver->hierarchy;
  const int *coarsest = h->cells[gmg_bottom_level(h)];
  const int same = memcmp(coarsest, shape->coarsest, 3 * sizeof *coarsest) == 0
    && strcmp(gmg_solver_option(solver, "bottom"), "inverse") == 0;
  const double left = residual(solver), allowed = h->precision == GMG_F64 ? 1e-13 : 1e-5;
  const int bad = !same || !(left <= allowed);
  if (bad)
    printf("%s, %d x %d x %d cells: cycles end at %d x %d x %d by %s, residual %.1e <-\n", what,
           shape->cells[0], shape->cells[1], shape->cells[2], coarsest[0], coarsest[1], coarsest[2],
           gmg_solver_option(solver, "bottom"), left);
  return bad;
}

static const struct shape shapes[] = {{{4, 4, 4}, {2, 2, 2}},  {{12, 10, 9}, {2, 2, 2}},
                                      {{4, 4, 1}, {2, 2, 1}},  {{4, 1, 4}, {2, 1, 2}},
                                      {{1, 5, 5}, {1, 2, 2}},  {{8, 1, 1}, {2, 1, 1}},
                                      {{1, 1, 12}, {1, 1, 2}}, {{3, 7, 3}, {1, 2, 1}}};

/* Coefficients of one kind, replaced twice: then only a, which no level may store. */
static int all_turns(const struct shape *shape, const char *op, gmg_boundary kind,
                     const char *precision)
{
  const int varies = strcmp(op, "variable7") == 0;
  int failures = 0;
  char what[100];
  for (int singular = 0; singular < 2; singular++) {
    gmg_solver *solver = make(shape->cells, kind, singular ? 0 : 0.3,
                              SOLVES_OPTIONS("operator", op, "precision", precision));
    for (int turn = 0; turn < 3; turn++) {
      if (varies)
        set_beta(solver, shape->cells, turn);
      else if (turn > 0 && !singular)
        assert_int_equal(gmg_solver_set_equation(solver, 0.3 + turn, 1), GMG_OK);
      assert_int_equal(gmg_solver_setup(solver), GMG_OK);
      snprintf(what, sizeof what, "%s, boundary %d, %s, a %s, turn %d", op, (int)kind, precision,
               singular ? "0" : "given", turn);
      failures += check(solver, shape, what);
    }
    gmg_solver_destroy(&solver);
  }
  return failures;
}

static void is_exact(void **state)
{
  static const char *const operators[] = {"constant7", "variable7", "constant27"},
                           *const precisions[] = {"double", "mixed"};
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_ROBIN};
  (void)state;
  int failures = 0, all = 0;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int o = 0; o < 3; o++)
      for (int b = 0; b < 4; b++)
        for (int p = 0; p < 2; p++, all++)
          failures += all_turns(&shapes[s], operators[o], kinds[b], precisions[p]);
  printf("%d of %d grids: a residual that is left\n", failures, all);
  assert_int_equal(failures, 0);
}

static int compare(const struct manufactured *problem, const char *name)
{
  static const char *const precisions[] = {"double", "mixed"};
  int failures = 0;
  for (int p = 0; p < 2; p++) {
    const int inverse = solves_cycles(*problem, SOLVES_OPTIONS("precision", precisions[p])),
              sweeps = solves_cycles(
                *problem, SOLVES_OPTIONS("precision", precisions[p], "bottom", "sweeps"));
    const int bad = inverse > sweeps || inverse == SOLVES_NOT_CONVERGED;
    printf("%s, %s: %d cycles by the inverse, %d down to one cell%s\n", name, precisions[p],
           inverse, sweeps, bad ? " <-" : "");
    failures += bad;
  }
  return failures;
}

static void cycles_do_not_rise(void **state)
{
  (void)state;
  int failures = 0;
  struct manufactured problem = {.cells = {16, 16, 16}, .variable = 1};
  failures += compare(&problem, "Dirichlet");
  problem = (struct manufactured){
    .cells = {24, 24, 24}, .constant_f = 1, .ball = 1e3, .option = {"krylov", "cg"}};
  failures += compare(&problem, "ball of 1e3");
  problem = (struct manufactured){.cells = {21, 17, 30}};
  manufactured_sides(&problem, GMG_NEUMANN);
  failures += compare(&problem, "Neumann, singular");
  for (int kind = 0; kind < 2; kind++)
    for (int n = 0; n < 3; n++) {
      static const double a[] = {1e-1, 1e-3, 1e-5};
      char name[40];
      problem = (struct manufactured){.cells = {16, 16, 16}, .variable = 1, .a = a[n]};
      manufactured_sides(&problem, kind ? GMG_PERIODIC : GMG_NEUMANN);
      manufactured_option(&problem, "rtol", "1e-8");
      snprintf(name, sizeof name, "%s, a = %.0e", kind ? "periodic" : "Neumann", a[n]);
      failures += compare(&problem, name);
    }
  problem = (struct manufactured){
    .cells = {16, 16, 16}, .constant_f = 1, .ball = 1e3, .option = {"coarsening", "owners"}};
  failures += compare(&problem, "owners");
  assert_int_equal(failures, 0);
}

/* Calls on two levels in one cycle: on that of the inverse, the restriction of its right side and
 * the inverse; on the next coarser one, none. */
static void one_call(void **state)
{
  static double f[4096], u[4096];
  const gmg_array f_array = {f, {1, 16, 256}};
  gmg_array u_array = {u, {1, 16, 256}};
  gmg_result result;
  int64_t calls[2] = {0, 0};
  (void)state;
  for (int n = 0; n < 4096; n++)
    f[n] = n % 7;
  for (int cycles = 1; cycles <= 2; cycles++) {
    char text[2] = {(char)('0' + cycles), 0};
    gmg_solver *solver = solves_solver(16,
                                       SOLVES_OPTIONS("cycle", "w", "krylov", "none", "rtol", "0",
                                                      "max-cycles", text, "precision", "double"));
    assert_int_equal(gmg_solver_setup(solver), GMG_OK);
    assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
    assert_int_equal(result.cycles, cycles);
    for (int l = gmg_solver_levels(solver) - 2; l < gmg_solver_levels(solver); l++)
      for (int n = 0; n < gmg_solver_kernels(solver, l); n++) {
        gmg_kernel_info info;
        assert_int_equal(gmg_solver_kernel_info(solver, l, n, &info), GMG_OK);
        calls[cycles - 1] += info.calls;
      }
    gmg_solver_destroy(&solver);
  }
  printf("%lld calls on 2^3 cells and on one in a W-cycle on 16^3\n",
         (long long)(calls[1] - calls[0]));
  assert_int_equal(calls[1] - calls[0], 2 * 2); /* 4^3 is visited twice */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_exact), cmocka_unit_test(cycles_do_not_rise), cmocka_unit_test(one_call)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
