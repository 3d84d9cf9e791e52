/* Smoothing factors by local Fourier analysis. Preconditions: stencils of which the literature
 * gives the factors (Trottenberg, Oosterlee, Schueller, Multigrid, chapter 4; Yavneh, SIAM J. Sci.
 * Comput. 17, 1996), and a periodic grid on which sweeps, with the low frequencies taken out after
 * each, can be measured. What must vanish: the distance of the analysis to both, and what another
 * omega would gain over the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derive/symbol.h"

enum { SIDE = 20, CELLS = SIDE * SIDE * SIDE, SWEEPS = 60, SETTLED = 40 };

static const struct gen_guard parity = {.kind = GEN_PARITY, .global = true};
static const struct gen_guard lattice = {.kind = GEN_LATTICE, .global = true, .modulus = {2, 2, 2}};

/* All points at most `reach` along each axis, weighted by how many axes they move along. */
static struct gen_stencil box_of(const int reach[3], const double weight[4])
{
  struct gen_stencil stencil = {0};
  for (int k = -reach[2]; k <= reach[2]; k++)
    for (int j = -reach[1]; j <= reach[1]; j++)
      for (int i = -reach[0]; i <= reach[0]; i++) {
        const int axes = abs(i) + abs(j) + abs(k), n = stencil.points;
        if (weight[axes] == 0)
          continue;
        memcpy(stencil.point[n].offset, (const int[3]){i, j, k}, sizeof(int[3]));
        stencil.point[n].weight = weight[axes];
        stencil.points++;
      }
  return stencil;
}

static struct gen_stencil seven_points(void)
{
  return box_of((const int[3]){1, 1, 1}, (const double[4]){6, -1, 0, 0});
}

static struct gen_stencil all_27_points(void)
{
  return box_of((const int[3]){1, 1, 1}, (const double[4]){8. / 3, 0, -1. / 6, -1. / 12});
}

static void near(double found, double expected, double tolerance)
{
  assert_true(fabs(found - expected) <= tolerance);
}

static void check_literature(void **state)
{
  (void)state;
  const struct gen_stencil seven = seven_points(),
                           five = box_of((const int[3]){1, 1, 0}, (const double[4]){4, -1, 0, 0});
  const struct gen_smoothing three = gen_smoothing_of(&seven, &parity),
                             two = gen_smoothing_of(&five, &parity);
  near(three.jacobi_omega, 6. / 7, 1e-12);
  near(three.jacobi, 5. / 7, 1e-12);
  near(three.overall, 2, 1e-12);
  near(three.plain, 0.445, 1e-3);
  near(three.best_omega, 1.13, 0.011);
  near(three.best, 0.23, 0.01);
  near(two.jacobi_omega, 4. / 5, 1e-12);
  near(two.jacobi, 3. / 5, 1e-12);
  near(two.plain, 0.25, 1e-3);
}

/* ---- measured ---- */

static int cell(int i, int j, int k)
{
  return (i + SIDE) % SIDE + SIDE * ((j + SIDE) % SIDE + SIDE * ((k + SIDE) % SIDE));
}

static int colour_of(const struct gen_guard *colouring, int i, int j, int k)
{
  return colouring->kind == GEN_PARITY ? (i + j + k) % 2 : i % 2 + 2 * (j % 2) + 4 * (k % 2);
}

static void relax(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                  double omega, double u[])
{
  const int colours = colouring->kind == GEN_PARITY ? 2 : 8;
  double diagonal = 0;
  for (int n = 0; n < stencil->points; n++)
    diagonal = fmax(diagonal, stencil->point[n].weight);
  for (int visit = 0; visit < colours * CELLS; visit++) {
    const int at = visit % CELLS, i = at % SIDE, j = at / SIDE % SIDE, k = at / SIDE / SIDE;
    double sum = 0;
    if (colour_of(colouring, i, j, k) != visit / CELLS)
      continue;
    for (int n = 0; n < stencil->points; n++) {
      const int *offset = stencil->point[n].offset;
      sum += stencil->point[n].weight * u[cell(i + offset[0], j + offset[1], k + offset[2])];
    }
    u[at] -= omega * sum / diagonal;
  }
}

/* u less its part of frequencies below pi/2 along all axes. */
static void take_out_low(double u[])
{
  static double low[CELLS], next[CELLS];
  double filter[SIDE];
  for (int d = 0; d < SIDE; d++) {
    filter[d] = 1. / SIDE;
    for (int m = 1; 4 * m < SIDE; m++)
      filter[d] += 2. / SIDE * cos(2 * acos(-1) * m * d / SIDE);
  }
  memcpy(low, u, sizeof low);
  for (int axis = 0; axis < 3; axis++) {
    for (int at = 0; at < CELLS; at++) {
      const int i = at % SIDE, j = at / SIDE % SIDE, k = at / SIDE / SIDE;
      next[at] = 0;
      for (int d = 0; d < SIDE; d++)
        next[at] +=
          filter[d] * low[cell(i + d * (axis == 0), j + d * (axis == 1), k + d * (axis == 2))];
    }
    memcpy(low, next, sizeof low);
  }
  for (int at = 0; at < CELLS; at++)
    u[at] -= low[at];
}

/* What a sweep leaves of the error in the long run. */
static double measured(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                       double omega)
{
  static double u[CELLS];
  double logarithm = 0;
  unsigned random = 1;
  for (int at = 0; at < CELLS; at++)
    u[at] = (double)((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double size = 0;
    relax(stencil, colouring, omega, u);
    take_out_low(u);
    for (int at = 0; at < CELLS; at++)
      size += u[at] * u[at];
    for (int at = 0; at < CELLS; at++)
      u[at] /= sqrt(size);
    if (sweep >= SETTLED)
      logarithm += log(size) / 2;
  }
  return exp(logarithm / (SWEEPS - SETTLED));
}

static void compare(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                    double omega)
{
  const double predicted = gen_gauss_seidel_factor(stencil, colouring, omega),
               seen = measured(stencil, colouring, omega);
  print_message("omega %.2f: predicted %.4f, measured %.4f\n", omega, predicted, seen);
  /* The grid holds pi/2, where the worst is; else only some of the frequencies. */
  assert_true(seen < 1.01 * predicted && seen > 0.95 * predicted);
}

static void check_measured(void **state)
{
  (void)state;
  const struct gen_stencil seven = seven_points(), dense = all_27_points();
  compare(&seven, &parity, 1);
  compare(&seven, &parity, 1.13);
  compare(&dense, &lattice, 1);
  compare(&dense, &lattice, 1.2);
}

static void check_best(void **state)
{
  (void)state;
  const struct gen_stencil stencils[] = {seven_points(), all_27_points()};
  const struct gen_guard *colourings[] = {&parity, &lattice};
  for (int s = 0; s < 2; s++) {
    const struct gen_smoothing smoothing = gen_smoothing_of(&stencils[s], colourings[s]);
    for (int step = 0; step < 16; step++) {
      const double omega = 0.75 + 0.05 * step;
      assert_true(smoothing.best
                  < 1.03 * gen_gauss_seidel_factor(&stencils[s], colourings[s], omega));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(check_literature),
    cmocka_unit_test(check_measured),
    cmocka_unit_test(check_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
