/* Preconditions: a build with KissFFT. What must vanish, to 1e-12 of the largest value: the
 * difference between the solution by method fft and a solution that is known (A of random values,
 * for all combinations of sides), and between it and that of multigrid, with boundary values.
 * Exactly: the iterations but one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solves.h"
#include "transforms.h"

#define TOLERANCE 1e-12

static const char *const operators[] = {"constant7", "constant27"};

static size_t count(const struct transforms_case *c)
{
  return (size_t)c->cells[0] * (size_t)c->cells[1] * (size_t)c->cells[2];
}

static int is_singular(const struct transforms_case *c)
{
  int fixed = c->a != 0;
  for (int side = 0; side < 6; side++)
    fixed |= c->sides[side] == 'd';
  return !fixed;
}

static double largest_difference(const double *x, const double *y, size_t n)
{
  double most = 0, size = 0;
  for (size_t m = 0; m < n; m++) {
    most = fmax(most, fabs(x[m] - y[m]));
    size = fmax(size, fabs(y[m]));
    if (!isfinite(x[m]))
      return INFINITY;
  }
  return size > 0 ? most / size : most;
}

static void take_mean_off(double *x, size_t n)
{
  double mean = 0;
  for (size_t m = 0; m < n; m++)
    mean += x[m] / (double)n;
  for (size_t m = 0; m < n; m++)
    x[m] -= mean;
}

/* The solution by a method in u; histories end with the solver. */
static void solve(gmg_grid *grid, const struct transforms_case *c, const char *method,
                  const char *const *options, const gmg_array *f, gmg_array *u, gmg_result *result)
{
  gmg_solver *solver = transforms_solver(grid, c, method, options);
  assert_int_equal(gmg_solver_solve(solver, f, u, 0, result), GMG_OK);
  gmg_solver_destroy(&solver);
}

static double known(const struct transforms_case *c)
{
  gmg_grid *grid = transforms_grid(solves_context, c);
  gmg_array exact = transforms_array(grid, c, 1), f = transforms_array(grid, c, -1),
            u = transforms_array(grid, c, 2);
  if (is_singular(c))
    take_mean_off(exact.data, count(c));
  gmg_solver *solver = transforms_solver(grid, c, "multigrid", NULL);
  assert_int_equal(gmg_solver_apply(solver, &exact, &f), GMG_OK);
  gmg_solver_destroy(&solver);
  gmg_result result;
  solve(grid, c, "fft", SOLVES_OPTIONS("rtol", "1e-12"), &f, &u, &result);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.singular, is_singular(c));
  const double off = largest_difference(u.data, exact.data, count(c));
  assert_true(result.cycles == 1 || (result.cycles == 0 && off == 0));
  gmg_grid_destroy(&grid);
  free(exact.data);
  free(f.data);
  free(u.data);
  return off;
}

static const char *const axis_sides[] = {"dd", "nn", "pp", "dn", "nd"};
enum { KINDS = 5, COMBINATIONS = KINDS * KINDS * KINDS };

/* All combinations of sides, odd and even extents, one cell too; with and without a α. */
static void known_solutions(void **state)
{
  static const int sizes[][3] = {{9, 14, 5}, {16, 7, 10}, {1, 12, 3}, {2, 1, 83}};
  double worst = 0;
  (void)state;
  for (int n = 0; n < 2 * COMBINATIONS; n++) {
    char sides[7];
    snprintf(sides, sizeof sides, "%s%s%s", axis_sides[n % KINDS], axis_sides[n / KINDS % KINDS],
             axis_sides[n / KINDS / KINDS % KINDS]);
    for (int o = 0; o < 2; o++) {
      const int *size = sizes[(n + o) % 4];
      const struct transforms_case c = {.cells = {size[0], size[1], size[2]},
                                        .sides = sides,
                                        .a = n < COMBINATIONS ? 0 : 3.5,
                                        .b = 1.7,
                                        .operator_ = operators[o],
                                        .no_values = 1};
      const double off = known(&c);
      if (!(off <= TOLERANCE))
        fail_msg("%s, %d x %d x %d, a = %g, sides %s: off by %.2e", c.operator_, size[0], size[1],
                 size[2], c.a, sides, off);
      worst = fmax(worst, off);
    }
  }
  printf("known solutions: off by at most %.2e\n", worst);
}

static double beside_multigrid(const struct transforms_case *c)
{
  gmg_grid *grid = transforms_grid(solves_context, c);
  gmg_array f = transforms_array(grid, c, 1), u[2];
  gmg_result result;
  for (int m = 0; m < 2; m++)
    u[m] = transforms_array(grid, c, 2);
  solve(grid, c, "fft", SOLVES_OPTIONS("rtol", "1e-12"), &f, &u[0], &result);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.cycles, 1);
  assert_true(result.relative_residual <= 1e-12);
  solve(grid, c, "multigrid", SOLVES_OPTIONS("rtol", "1e-15", "precision", "double"), &f, &u[1],
        &result);
  assert_true(result.outcome == GMG_CONVERGED || result.outcome == GMG_ROUNDING_LIMIT);
  const double off = largest_difference(u[0].data, u[1].data, count(c));
  gmg_grid_destroy(&grid);
  free(f.data);
  free(u[0].data);
  free(u[1].data);
  return off;
}

static void as_multigrid(void **state)
{
  static const struct transforms_case cases[] = {
    {{31, 40, 27}, "dddddd", 0, 1, "constant7", 0},
    {{31, 40, 27}, "nnnnnn", 0, 1, "constant7", 0},
    {{31, 40, 27}, "pppppp", 0, 1, "constant7", 0},
    {{31, 40, 27}, "nnppnn", 0, 2.5, "constant7", 0},
    {{31, 40, 27}, "dndnnd", 0, 1, "constant7", 0},
    {{31, 40, 27}, "nddnpp", 4, 0.3, "constant7", 0},
    {{31, 40, 27}, "dndnnd", 0, 1, "constant27", 0},
    {{31, 40, 27}, "nnppnn", 0, 2.5, "constant27", 0},
    {{32, 64, 16}, "ppdnnn", 1, 1, "constant7", 0},
    {{48, 30, 1}, "ndddpp", 0, 1, "constant7", 0},
    {{41, 30, 94}, "ppnddn", 0, 1, "constant7", 0}, /* prime factors above 40 */
  };
  (void)state;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const double off = beside_multigrid(&cases[n]);
    printf("%-10s %s a = %-3g: off by %.2e\n", cases[n].operator_, cases[n].sides, cases[n].a, off);
    if (!(off <= TOLERANCE))
      fail_msg("%s, sides %s: the methods differ by %.2e", cases[n].operator_, cases[n].sides, off);
  }
}

/* A guess, another right side, a tolerance below rounding, a zero right side: outcomes. */
static void outcomes(void **state)
{
  const struct transforms_case c = {{20, 18, 24}, "dnppnn", 0, 1, "constant7", 0};
  gmg_grid *grid = transforms_grid(solves_context, &c);
  gmg_array f = transforms_array(grid, &c, 1), u = transforms_array(grid, &c, 2),
            v = transforms_array(grid, &c, -1);
  gmg_result result;
  (void)state;
  gmg_solver *solver = transforms_solver(grid, &c, "fft", NULL);
  assert_int_equal(gmg_solver_solve(solver, &f, &v, 0, &result), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 1, &result), GMG_OK); /* a poor guess */
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.cycles, 1);
  assert_true(largest_difference(u.data, v.data, count(&c)) <= TOLERANCE);
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 1, &result), GMG_OK); /* the solution */
  assert_int_equal(result.cycles, 0);
  assert_int_equal(gmg_solver_set_real(solver, "rtol", 1e-17), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_ROUNDING_LIMIT);
  assert_true(result.cycles >= 1 && result.cycles <= 3);
  assert_int_equal(gmg_solver_set_integer(solver, "max-cycles", 1), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(result.cycles, 1);
  f.data[3] = NAN;
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_NOT_FINITE);
  f.data[3] = 0;
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result),
                   GMG_OK); /* nothing of it is left */
  assert_true(result.relative_residual <= 1e-12);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f.data);
  free(u.data);
  free(v.data);
}

/* As a preconditioner it is the inverse. */
static void preconditions(void **state)
{
  const struct transforms_case c = {{12, 10, 9}, "nnppnn", 0, 1, "constant7", 1};
  gmg_grid *grid = transforms_grid(solves_context, &c);
  gmg_array exact = transforms_array(grid, &c, 1), r = transforms_array(grid, &c, -1),
            z = transforms_array(grid, &c, 2);
  (void)state;
  take_mean_off(exact.data, count(&c));
  gmg_solver *solver = transforms_solver(grid, &c, "fft", NULL);
  assert_int_equal(gmg_solver_apply(solver, &exact, &r), GMG_OK);
  assert_int_equal(gmg_solver_precondition(solver, &r, &z, 1), GMG_OK);
  assert_true(largest_difference(z.data, exact.data, count(&c)) <= TOLERANCE);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(exact.data);
  free(r.data);
  free(z.data);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_solutions),
                                     cmocka_unit_test(as_multigrid), cmocka_unit_test(outcomes),
                                     cmocka_unit_test(preconditions)};
  return transforms_available() ? cmocka_run_group_tests(tests, solves_begin, solves_end) : 77;
}
