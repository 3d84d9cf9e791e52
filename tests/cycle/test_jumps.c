/* Preconditions: none. What must vanish: the number of balls, of a β up to a million times larger
 * or smaller than around them, on which default settings need more cycles than measured when this
 * was written (up to a third more), or do not converge; of layers, that need more than when the
 * option `anisotropy` says what they are. A V-cycle alone needs 42 where the ball is the larger;
 * `auto` takes W-cycles and turns conjugate gradients on, and sees layers by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "manufactured.h"

static void jumps(void **state)
{
  static const struct {
    double ratio;
    int most;
  } balls[] = {{1e-6, 13}, {1e-3, 13}, {1e-1, 11}, {3, 13}, {10, 11}, {1e3, 13}, {1e6, 20}};
  (void)state;
  int failures = 0;
  gmg_context *context;
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  for (int size = 16; size <= 32; size *= 2)
    for (size_t n = 0; n < sizeof balls / sizeof *balls; n++) {
      const struct manufactured problem = {
        .cells = {size, size, size}, .random_f = 1, .ball = balls[n].ratio};
      struct manufactured_result r = manufactured_solve(context, &problem);
      const int bad =
        r.status || r.result.outcome != GMG_CONVERGED || r.result.cycles > balls[n].most;
      printf("%d^3, ball of beta %g: %d cycles (at most %d)%s\n", size, balls[n].ratio,
             r.result.cycles, balls[n].most, bad ? " <-" : "");
      failures += bad;
      free(r.u);
    }
  gmg_context_destroy(&context);
  assert_int_equal(failures, 0);
}

/* β is 1 and 1000 in turns in layers of one cell across `axis`: their mean along the layers is 500,
 * 2 across. */
static int layers_check(int size, int axis, const char *anisotropy, int least, int most)
{
  const int cells[3] = {size, size, size}, plane = size * size, count = plane * size;
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_result result;
  double *beta = malloc((size_t)count * sizeof *beta), *f = malloc((size_t)count * sizeof *f),
         *u = malloc((size_t)count * sizeof *u);
  for (int n = 0; n < count; n++) {
    const int at[3] = {n % size, n / size % size, n / plane};
    beta[n] = at[axis] % 2 ? 1000 : 1;
    f[n] = 1;
  }
  const gmg_array betas = {beta, {1, size, plane}}, right_side = {f, {1, size, plane}};
  gmg_array solution = {u, {1, size, plane}};
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "anisotropy", anisotropy), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "coarsening", "plain"), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &right_side, &solution, 0, &result), GMG_OK);
  const int bad = result.outcome != GMG_CONVERGED || result.cycles < least || result.cycles > most;
  printf("%d layers across axis %d, anisotropy %s: %d cycles (%d to %d)%s\n", size, axis,
         anisotropy, result.cycles, least, most, bad ? " <-" : "");
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  free(beta);
  free(f);
  free(u);
  return bad;
}

static void layers(void **state)
{
  (void)state;
  int failures = layers_check(32, 0, "2,500,500", 1, 10) + layers_check(32, 1, "500,2,500", 1, 10)
    + layers_check(32, 2, "500,500,2", 1, 10) + layers_check(32, 2, "1,1,1", 12, 22);
  for (int axis = 0; axis < 3; axis++)
    failures += layers_check(32, axis, "auto", 1, 10) + layers_check(31, axis, "auto", 1, 11);
  for (int axis = 0; axis < 3; axis++) /* only faces beside each other tell that β jumps */
    failures += layers_check(31, axis, "1,1,1", 8, 22);
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(jumps), cmocka_unit_test(layers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
