/* Preconditions: none. What must vanish: output arrays that are taken although two of their values
 * share memory, or refused although none do, by a count over all values, for random strides; and
 * what a refused call wrote, or a taken one got wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solves.h"

enum { ROOM = 4000, MIDDLE = ROOM / 2, TRIALS = 4000 };

static double values[ROOM];
static unsigned char taken[ROOM];

/* A number from 0 to below - 1. */
static int draw(int below)
{
  return rand() / 7 % below;
}

/* By a look at every value: whether two share memory. */
static int share(const int extent[3], const ptrdiff_t stride[3])
{
  memset(taken, 0, sizeof taken);
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int i = 0; i < extent[0]; i++)
        if (taken[MIDDLE + i * stride[0] + j * stride[1] + k * stride[2]]++)
          return 1;
  return 0;
}

static gmg_solver *solver_of(const int cells[3])
{
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid;
  gmg_solver *solver;
  assert_int_equal(gmg_grid_create(solves_context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

static void draw_strides(const int n[3], ptrdiff_t stride[3])
{
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  if (draw(2)) { /* anything */
    for (int d = 0; d < 3; d++)
      stride[d] = draw(60) - 10;
    return;
  }
  const int *of = order[draw(6)]; /* dense, or nearly so */
  ptrdiff_t step = 1 + draw(2);
  for (int d = 0; d < 3; d++) {
    stride[of[d]] = draw(4) ? step : -step;
    step *= n[of[d]] + draw(3) - (draw(4) == 0);
  }
}

static void strides(void **state)
{
  static const int shapes[][3] = {{4, 5, 3}, {1, 6, 4}, {5, 1, 1}, {2, 2, 7}, {3, 3, 3}};
  int refused = 0, accepted = 0;
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const int *n = shapes[s];
    gmg_solver *solver = solver_of(n);
    double dense[100], expected[100];
    for (int c = 0; c < 100; c++)
      dense[c] = 1 + 0.1 * draw(100);
    const gmg_array u = {dense, {1, n[0], n[0] * n[1]}};
    gmg_array plain = {expected, {1, n[0], n[0] * n[1]}};
    assert_int_equal(gmg_solver_apply(solver, &u, &plain), GMG_OK);
    for (int t = 0; t < TRIALS; t++) {
      gmg_array w = {values + MIDDLE, {0}};
      draw_strides(n, w.stride);
      memset(values, 0, sizeof values);
      const int bad = share(n, w.stride);
      const gmg_status status = gmg_solver_apply(solver, &u, &w);
      if (status != (bad ? GMG_ERR_ARGUMENT : GMG_OK))
        fail_msg("%d x %d x %d values, strides %td, %td, %td: status %d", n[0], n[1], n[2],
                 w.stride[0], w.stride[1], w.stride[2], status);
      refused += bad;
      accepted += !bad;
      for (int c = 0; bad && c < ROOM; c++)
        assert_true(values[c] == 0);
      for (int c = 0; !bad && c < n[0] * n[1] * n[2]; c++)
        assert_true(w.data[c % n[0] * w.stride[0] + c / n[0] % n[1] * w.stride[1]
                           + c / n[0] / n[1] * w.stride[2]]
                    == expected[c]);
    }
    gmg_solver_destroy(&solver);
  }
  printf("%d sets of strides refused, %d accepted\n", refused, accepted);
  assert_true(refused > TRIALS / 2 && accepted > TRIALS);
}

/* The calls one by one; and an input of stride 0, which holds one value everywhere. */
static void calls(void **state)
{
  static const int n[3] = {6, 5, 4};
  static double one = 1, u[120], x[120], y[120], z[168];
  const gmg_array broadcast = {&one, {0, 0, 0}};
  gmg_array dense = {u, {1, 6, 30}}, other = {x, {1, 6, 30}}, bad = {y, {1, 0, 30}};
  gmg_array faces[3] = {{y, {1, 6, 30}}, {z, {1, 7, 42}}, {values, {1, 7, 42}}};
  gmg_result result;
  (void)state;
  gmg_solver *solver = solver_of(n);
  assert_int_equal(gmg_solver_solve(solver, &broadcast, &bad, 0, &result), GMG_ERR_ARGUMENT);
  printf("%s\n", gmg_context_message(solves_context));
  assert_non_null(
    strstr(gmg_context_message(solves_context), "u has strides 1, 0, 30 for 6 x 5 x 4 values"));
  assert_int_equal(gmg_solver_residual(solver, &broadcast, &dense, &bad), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_solver_precondition(solver, &broadcast, &bad, 1), GMG_ERR_ARGUMENT);
  /* A face array along x has 7 x 5 x 4 values: rows of 6 overlap. */
  assert_int_equal(gmg_solver_fluxes(solver, &dense, &faces[0], &faces[1], &faces[2]),
                   GMG_ERR_ARGUMENT);
  assert_non_null(strstr(gmg_context_message(solves_context), "flux_x"));
  assert_int_equal(gmg_solver_fluxes(solver, &dense, &faces[1], &faces[2], &faces[2]), GMG_OK);
  bad.stride[1] = PTRDIFF_MAX / 2;
  assert_int_equal(gmg_solver_solve(solver, &broadcast, &bad, 0, &result), GMG_ERR_ARGUMENT);
  bad = (gmg_array){u, {1, 6, 15}};
  assert_int_equal(gmg_solver_array_copy(solver, &bad, &bad), GMG_ERR_ARGUMENT);
  bad = (gmg_array){u, {-1, 6, 30}};
  assert_int_equal(gmg_solver_array_copy(solver, &bad, &bad), GMG_ERR_ARGUMENT);
  for (int c = 0; c < 120; c++)
    x[c] = 1;
  const gmg_array ones = {x, {1, 6, 30}};
  assert_int_equal(gmg_solver_solve(solver, &broadcast, &dense, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(gmg_solver_solve(solver, &ones, &other, 0, &result), GMG_OK);
  assert_memory_equal(u, x, sizeof u);
  gmg_solver_destroy(&solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(strides), cmocka_unit_test(calls)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
