/* The pairing of cells into coarse ones, and its interpolation weights.
 * Preconditions: axes of any length, spacing and boundary kind.
 * Must vanish: differences between the tables and their definitions; the error of the interpolation
 * of linear functions that obey the homogeneous boundary conditions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/merge.h"
#include "system/memory.h"

#define NEAR(a, b) (fabs((a) - (b)) <= 1e-12 * (1.0 + fabs(a) + fabs(b)))

static struct gmg_axis make_axis(int cells, double width, double ratio, gmg_boundary low,
                                 gmg_boundary high)
{
  struct gmg_axis axis = {
    .cells = cells, .kind = {low, high}, .c0 = {1.0, 2.0}, .c1 = {0.5, 0.25}, .weight = 1};
  axis.width = gmg_malloc((size_t)cells * sizeof *axis.width);
  assert_non_null(axis.width);
  for (int i = 0; i < cells; i++, width *= ratio)
    axis.width[i] = width;
  return axis;
}

static double centre(const struct gmg_axis *axis, int i)
{
  double x = 0.5 * axis->width[i];
  while (i-- > 0)
    x += axis->width[i];
  return x;
}

static double extent(const struct gmg_axis *axis)
{
  double x = 0.0;
  for (int i = 0; i < axis->cells; i++)
    x += axis->width[i];
  return x;
}

static void check_tables(const struct gmg_pairing *p, const struct gmg_axis *fine,
                         const struct gmg_axis *coarse)
{
  assert_int_equal(p->fine, fine->cells);
  assert_int_equal(p->coarse, coarse->cells);
  assert_true(2 * p->coarse >= p->fine && p->coarse <= p->fine);
  int next = 0;
  for (int c = 0; c < p->coarse; c++) {
    assert_int_equal(p->lo[c], next);
    assert_in_range(p->hi[c] - p->lo[c], 0, 1);
    double width = 0.0;
    for (int i = p->lo[c]; i <= p->hi[c]; i++, next++) {
      assert_int_equal(p->parent[i], c);
      width += fine->width[i];
    }
    assert_true(width == coarse->width[c]);
  }
  assert_int_equal(next, p->fine);
  for (int side = 0; side < 2; side++) {
    assert_int_equal(fine->kind[side], coarse->kind[side]);
    assert_true(fine->c0[side] == coarse->c0[side] && fine->c1[side] == coarse->c1[side]);
  }
}

/* The interpolated value at fine cell i of a function with value(X) at coarse centres, seam the
 * jump across a period. */
static double interpolate(const struct gmg_pairing *p, const struct gmg_axis *coarse, int i,
                          double seam)
{
  const int near = p->near[i], n = p->coarse;
  const double image = near < 0 ? centre(coarse, n - 1) - seam
    : near >= n                 ? centre(coarse, 0) + seam
                                : centre(coarse, near);
  return p->own[i] * centre(coarse, p->parent[i]) + p->other[i] * image;
}

/* Linear functions are interpolated exactly: x inside, the distance to a Dirichlet wall and a
 * constant at a Neumann one. */
static void check_weights(const struct gmg_pairing *p, const struct gmg_axis *fine,
                          const struct gmg_axis *coarse)
{
  const double length = extent(fine);
  for (int i = 0; i < p->fine; i++) {
    const int parent = p->parent[i], lone = p->lo[parent] == p->hi[parent];
    const int side = i == p->hi[parent], end = side ? p->coarse - 1 : 0;
    const double x = centre(fine, i), X = centre(coarse, parent);
    assert_true(p->own[i] > 0.0 && p->own[i] <= 1.0 && p->other[i] >= 0.0 && p->other[i] < 1.0);
    if (lone) {
      assert_true(p->own[i] == 1.0 && p->other[i] == 0.0);
    } else if (parent != end || coarse->kind[side] == GMG_PERIODIC) {
      assert_int_equal(p->near[i], parent + (side ? 1 : -1));
      assert_true(NEAR(p->own[i] + p->other[i], 1.0));
      assert_true(NEAR(interpolate(p, coarse, i, length), x));
    } else {
      assert_int_equal(p->near[i], parent + (side ? 1 : -1)); /* the ghost */
      assert_true(p->other[i] == 0.0);
      const double wall = side ? length : 0.0, c = gmg_axis_ghost_factor(coarse, side);
      const double width = coarse->width[parent];
      if (coarse->kind[side] == GMG_DIRICHLET)
        assert_true(NEAR(p->own[i] * (X - wall), x - wall));
      else if (coarse->kind[side] == GMG_NEUMANN)
        assert_true(p->own[i] == 1.0);
      else /* on the line through the centre and the ghost */
        assert_true(NEAR(p->own[i], 1.0 + (c - 1.0) * fabs(x - X) / width));
    }
  }
}

static int coarsen_to_one(struct gmg_axis axis[3], int sizes[][3])
{
  double merge;
  assert_int_equal(gmg_merge_width(axis, &merge), 0);
  int level = 0;
  for (;; level++) {
    struct gmg_axis coarse[3];
    struct gmg_pairing pairing[3];
    for (int d = 0; d < 3; d++)
      sizes[level][d] = axis[d].cells;
    const int more = gmg_coarsen(axis, level, merge, coarse, pairing);
    assert_in_range(more, 0, 1);
    if (!more)
      break;
    int before = 0, after = 0;
    for (int d = 0; d < 3; d++) {
      check_tables(&pairing[d], &axis[d], &coarse[d]);
      check_weights(&pairing[d], &axis[d], &coarse[d]);
      before += axis[d].cells;
      after += coarse[d].cells;
      gmg_axis_clear(&axis[d]);
      gmg_pairing_clear(&pairing[d]);
      axis[d] = coarse[d];
    }
    assert_true(after < before);
  }
  for (int d = 0; d < 3; d++) {
    assert_int_equal(axis[d].cells, 1);
    gmg_axis_clear(&axis[d]);
  }
  return level + 1;
}

static void any_grid(void **state)
{
  (void)state;
  static const int sizes[][3] = {{1, 1, 1},    {2, 1, 1},     {1, 1, 3},    {2, 2, 2},
                                 {3, 3, 3},    {4, 5, 6},     {2, 3, 40},   {7, 1, 9},
                                 {31, 37, 29}, {63, 63, 63},  {65, 64, 63}, {127, 3, 2},
                                 {250, 2, 97}, {100, 75, 33}, {128, 128, 1}};
  static const double spacing[][3] = {
    {1, 1, 1}, {1, 1, 0.25}, {1, 1, 0.01}, {1, 3, 10}, {1e-3, 2e-3, 1.5e-3}};
  static const double ratio[][3] = {{1, 1, 1}, {1, 1, 1.05}, {1.05, 1.02, 0.97}, {1, 0.9, 1.1}};
  static const gmg_boundary kinds[][2] = {{GMG_DIRICHLET, GMG_DIRICHLET},
                                          {GMG_NEUMANN, GMG_DIRICHLET},
                                          {GMG_PERIODIC, GMG_PERIODIC},
                                          {GMG_ROBIN, GMG_ROBIN},
                                          {GMG_DIRICHLET, GMG_NEUMANN}};
  int most = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t h = 0; h < sizeof spacing / sizeof *spacing; h++)
      for (size_t r = 0; r < sizeof ratio / sizeof *ratio; r++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
          struct gmg_axis axis[3];
          int seen[64][3];
          for (int d = 0; d < 3; d++)
            axis[d] = make_axis(sizes[s][d], spacing[h][d], ratio[r][d],
                                kinds[(k + (size_t)d) % 5][0], kinds[(k + (size_t)d) % 5][1]);
          const int levels = coarsen_to_one(axis, seen);
          most = levels > most ? levels : most;
        }
  printf("most levels: %d\n", most);
}

static void expect_level(const int cells[3], const double spacing[3], int level,
                         const int expected[3])
{
  struct gmg_axis axis[3];
  int seen[64][3];
  for (int d = 0; d < 3; d++)
    axis[d] = make_axis(cells[d], spacing[d], 1.0, GMG_DIRICHLET, GMG_DIRICHLET);
  assert_true(coarsen_to_one(axis, seen) > level);
  assert_memory_equal(seen[level], expected, sizeof seen[level]);
}

static void known_levels(void **state)
{
  (void)state;
  const double equal[3] = {1, 1, 1}, flat[3] = {1, 1, 0.25}, third[3] = {1.0 / 3, 1.0 / 3, 0.5},
               wide[3] = {1, 2, 1.6}, unit[3] = {1.0 / 61, 1.0 / 67, 1.0 / 71};
  expect_level((int[]){64, 64, 64}, equal, 6, (int[]){1, 1, 1});
  expect_level((int[]){127, 63, 65}, equal, 1, (int[]){64, 32, 33});
  expect_level((int[]){127, 63, 65}, equal, 2, (int[]){32, 16, 17});
  expect_level((int[]){250, 2, 97}, equal, 1, (int[]){125, 1, 49});
  expect_level((int[]){2, 3, 40}, equal, 2, (int[]){1, 1, 10});
  expect_level((int[]){64, 64, 64}, flat, 2, (int[]){64, 64, 16});
  expect_level((int[]){64, 64, 64}, flat, 3, (int[]){32, 32, 8});
  expect_level((int[]){30, 30, 30}, third, 1,
               (int[]){15, 15, 15}); /* a ratio of 1.5 still counts as equal */
  /* 71 cells leave a thin one alone, which must not keep the others from merging. */
  expect_level((int[]){61, 67, 71}, unit, 1, (int[]){31, 34, 36});
  expect_level((int[]){61, 67, 71}, unit, 2, (int[]){16, 17, 18});
  expect_level((int[]){16, 16, 16}, wide, 1, (int[]){8, 16, 16});
  expect_level((int[]){16, 16, 16}, wide, 2, (int[]){4, 8, 8});
}

/* On stretched grids levels have few cells more, all together, than the finest one. */
static void stretched_levels(void **state)
{
  (void)state;
  static const double ratio[][3] = {{1.03, 1.03, 1.03},
                                    {1, 1, 1.03},
                                    {1.1, 1, 1.03},
                                    {1.1, 1.1, 1.1}},
                      most[] = {1.2, 1.4, 1.3, 2.1};
  for (size_t r = 0; r < sizeof ratio / sizeof *ratio; r++) {
    struct gmg_axis axis[3];
    int seen[64][3];
    double cells = 0;
    for (int d = 0; d < 3; d++)
      axis[d] = make_axis(64, 1.0, ratio[r][d], GMG_DIRICHLET, GMG_NEUMANN);
    const int levels = coarsen_to_one(axis, seen);
    for (int l = 0; l < levels; l++)
      cells += (double)seen[l][0] * seen[l][1] * seen[l][2] / (64.0 * 64 * 64);
    printf("%g, %g, %g: %d levels of %.3f times the cells\n", ratio[r][0], ratio[r][1], ratio[r][2],
           levels, cells);
    assert_true(cells < most[r]);
  }
}

/* On odd levels an odd direction leaves its first cell alone, on even levels its last. */
static void lone_cells(void **state)
{
  (void)state;
  for (int level = 0; level < 2; level++) {
    struct gmg_axis axis[3], coarse[3];
    struct gmg_pairing p[3];
    for (int d = 0; d < 3; d++)
      axis[d] = make_axis(7, 1.0, 1.0, GMG_DIRICHLET, GMG_NEUMANN);
    assert_int_equal(gmg_coarsen(axis, level, GMG_MERGE_WIDTH, coarse, p), 1);
    for (int d = 0; d < 3; d++) {
      assert_int_equal(p[d].hi[0] - p[d].lo[0], level == 0);
      assert_int_equal(p[d].hi[3] - p[d].lo[3], level == 1);
      if (level == 0) { /* the numbers of NUMERICS.md, section 2 */
        assert_true(NEAR(p[d].own[0], 0.5));
        assert_true(NEAR(p[d].own[2], 0.75) && NEAR(p[d].other[2], 0.25));
        assert_true(NEAR(p[d].other[5], 1.0 / 3.0));
      } else {
        assert_true(p[d].own[6] == 1.0 && p[d].other[6] == 0.0);
        assert_true(NEAR(p[d].other[1], 1.0 / 3.0));
      }
      gmg_axis_clear(&axis[d]);
      gmg_axis_clear(&coarse[d]);
      gmg_pairing_clear(&p[d]);
    }
  }
}

static void ghosts_and_distances(void **state)
{
  (void)state;
  struct gmg_axis axis = make_axis(4, 1.0, 2.0, GMG_ROBIN, GMG_NEUMANN); /* widths 1 2 4 8 */
  double distance[5];
  gmg_axis_distances(&axis, distance);
  const double walls[5] = {1.0, 1.5, 3.0, 6.0, 8.0}, seam[5] = {4.5, 1.5, 3.0, 6.0, 4.5};
  assert_memory_equal(distance, walls, sizeof walls);
  /* c0 (u + g) / 2 + c1 (g - u) / h = 0 with c0 = 1, c1 = 1/2, h = 1: g = 0 */
  assert_true(gmg_axis_ghost_factor(&axis, 0) == 0.0);
  assert_true(gmg_axis_ghost_factor(&axis, 1) == 1.0);
  axis.c1[0] = 0.0;
  assert_true(gmg_axis_ghost_factor(&axis, 0) == -1.0);
  axis.c0[0] = 0.0;
  axis.c1[0] = 3.0;
  assert_true(gmg_axis_ghost_factor(&axis, 0) == 1.0);
  axis.kind[0] = axis.kind[1] = GMG_PERIODIC;
  gmg_axis_distances(&axis, distance);
  assert_memory_equal(distance, seam, sizeof seam);
  assert_true(gmg_axis_ghost_factor(&axis, 0) == 0.0);
  gmg_axis_clear(&axis);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_grid), cmocka_unit_test(known_levels), cmocka_unit_test(stretched_levels),
    cmocka_unit_test(lone_cells), cmocka_unit_test(ghosts_and_distances)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
