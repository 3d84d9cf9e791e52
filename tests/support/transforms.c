#include "transforms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "fourier/line_fft.h"

double transforms_number(size_t index, int seed)
{
  uint64_t x = (uint64_t)index * 0x9e3779b97f4a7c15u + (uint64_t)seed * 0xd1b54a32d192ed03u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

static gmg_boundary kind_of(char letter)
{
  return letter == 'p' ? GMG_PERIODIC : letter == 'n' ? GMG_NEUMANN : GMG_DIRICHLET;
}

gmg_grid *transforms_grid(gmg_context *context, const struct transforms_case *problem)
{
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1.3, 0.8};
  gmg_grid *grid;
  assert_int_equal(gmg_grid_create(context, problem->cells, lower, upper, &grid), GMG_OK);
  for (int side = 0; side < 6; side++) {
    const gmg_boundary kind = kind_of(problem->sides[side]);
    const size_t faces =
      (size_t)problem->cells[side < 2] * (size_t)problem->cells[side < 4 ? 2 : 1];
    assert_int_equal(gmg_grid_set_boundary(grid, (gmg_side)side, kind, 0, 0, 0), GMG_OK);
    double *values = malloc(faces * sizeof *values);
    assert_non_null(values);
    for (size_t n = 0; n < faces; n++)
      values[n] = transforms_number(n, 100 + side);
    if (kind != GMG_PERIODIC && !problem->no_values)
      assert_int_equal(gmg_grid_set_boundary_values(grid, (gmg_side)side, values), GMG_OK);
    free(values);
  }
  return grid;
}

gmg_solver *transforms_solver(gmg_grid *grid, const struct transforms_case *problem,
                              const char *method, const char *const *options)
{
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "method", method), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "operator", problem->operator_), GMG_OK);
  for (int n = 0; options && options[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(solver, options[n], options[n + 1]), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, problem->a, problem->b), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

gmg_array transforms_array(const gmg_grid *grid, const struct transforms_case *problem, int seed)
{
  int lower[3], upper[3], n[3];
  gmg_grid_part(grid, lower, upper);
  for (int d = 0; d < 3; d++)
    n[d] = upper[d] - lower[d];
  double *data = malloc(((size_t)n[0] * (size_t)n[1] * (size_t)n[2] + 1) * sizeof *data);
  assert_non_null(data);
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const size_t at = (size_t)(lower[0] + i)
          + (size_t)problem->cells[0]
            * ((size_t)(lower[1] + j) + (size_t)problem->cells[1] * (size_t)(lower[2] + k));
        data[i + (ptrdiff_t)n[0] * (j + (ptrdiff_t)n[1] * k)] =
          seed < 0 ? 0 : transforms_number(at, seed);
      }
  return (gmg_array){data, {1, n[0], (ptrdiff_t)n[0] * n[1]}};
}

int transforms_available(void)
{
  if (!gmg_line_fft_available())
    printf("skipped: this build has no KissFFT (libkissfft-dev)\n");
  return gmg_line_fft_available();
}
