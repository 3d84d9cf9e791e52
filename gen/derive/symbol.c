#include "symbol.h"

#include "harmonics.h"

#include "check/colouring.h"

#include <math.h>
#include <string.h>

static const int coarse_steps[3] = {4, 4, 4}, fine_steps[3] = {8, 8, 8};

static double unit_value(const struct gen_kernel *kernel, const struct gen_expr *expr,
                         const double spacing[3])
{
  double v[3] = {0, 0, 0};
  if (expr->kind == GEN_NUMBER)
    return expr->number;
  if (expr->kind == GEN_SCALAR)
    return 1;
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    if (strcmp(array->name, "alpha") == 0)
      return 0;
    for (int a = 0; a < 3; a++) /* conductances: a face's area over the distance of two centres */
      if (strcmp(array->name, (const char *[]){"beta_i", "beta_j", "beta_k"}[a]) == 0)
        return spacing[0] * spacing[1] * spacing[2] / (spacing[a] * spacing[a]);
    if (array->rank == 1 && strncmp(array->name, "h_", 2) == 0)
      return spacing[array->axis];
    if (array->rank == 1 && strncmp(array->name, "g_", 2) == 0)
      return 1 / spacing[array->axis];
    return 1;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    v[n] = unit_value(kernel, expr->argument[n], spacing);
  return gen_compute(expr->kind, v);
}

/* Index of the point at sign x offset, or -1. */
static int find_point(const struct gen_stencil *stencil, const int offset[3], int sign)
{
  for (int n = 0; n < stencil->points; n++) {
    const int *at = stencil->point[n].offset;
    if (at[0] == sign * offset[0] && at[1] == sign * offset[1] && at[2] == sign * offset[2])
      return n;
  }
  return -1;
}

bool gen_unit_stencil(const struct gen_operator *op, const double spacing[3],
                      struct gen_stencil *stencil)
{
  stencil->points = op->linear.terms;
  for (int n = 0; n < stencil->points; n++) {
    const struct gen_term *term = &op->linear.term[n];
    memcpy(stencil->point[n].offset, term->offset, sizeof term->offset);
    stencil->point[n].weight = unit_value(op->source, gen_weight_expr(&term->weight), spacing);
  }
  const double diagonal = gen_stencil_diagonal(stencil);
  for (int n = 0; n < stencil->points; n++) {
    const int other = find_point(stencil, stencil->point[n].offset, -1);
    const double opposite = other < 0 ? 0 : stencil->point[other].weight;
    if (!(fabs(opposite - stencil->point[n].weight) <= 1e-12 * diagonal))
      return false;
  }
  return diagonal > 0 && gen_coupled_axes(stencil);
}

static void jacobi(const struct gen_stencil *stencil, struct gen_smoothing *result)
{
  const int axes = gen_coupled_axes(stencil);
  result->least = INFINITY;
  result->most = result->overall = -INFINITY;
  for (int n = 0; n < gen_frequencies(fine_steps); n++) {
    double low[3], value[GEN_HARMONICS];
    gen_frequency(axes, fine_steps, n, low);
    gen_symbols_at(stencil, low, value);
    for (int h = 0; h < GEN_HARMONICS; h++) {
      result->overall = fmax(result->overall, value[h]);
      if (h & axes) {
        result->least = fmin(result->least, value[h]);
        result->most = fmax(result->most, value[h]);
      }
    }
  }
  result->jacobi_omega = 2 / (result->least + result->most);
  result->jacobi = (result->most - result->least) / (result->most + result->least);
}

/* Of one sweep. The coarse-grid correction stands first: the radius is that of the product in any
 * order. */
static double gauss_seidel_at(const double value[], const struct gen_cell_colours *colours,
                              int axes, double omega)
{
  struct gen_matrix sweep = {0};
  double factor[GEN_MAX_COLOURS];
  for (int c = 0; c < GEN_MAX_COLOURS; c++)
    factor[c] = omega;
  for (int h = 0; h < GEN_HARMONICS; h++)
    sweep.real[h][h] = h & axes ? 1 : 0;
  gen_sweep_colours(colours, value, factor, &sweep);
  for (int h = 0; h < GEN_HARMONICS; h++)
    for (int from = 0; from < GEN_HARMONICS && !(h & axes); from++)
      sweep.real[h][from] = 0;
  return gen_spectral_radius(sweep, GEN_SQUARINGS, 0);
}

static double gauss_seidel(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                           double omega, const int steps[3])
{
  const int axes = gen_coupled_axes(stencil);
  struct gen_cell_colours colours;
  double most = 0;
  if (!gen_colour_cells(colouring, axes, &colours))
    return NAN;
  /* The upper half of them: the symbol is the same at -theta. */
  for (int n = gen_frequencies(steps) / 2; n < gen_frequencies(steps); n++) {
    double low[3], value[GEN_HARMONICS];
    gen_frequency(axes, steps, n, low);
    gen_symbols_at(stencil, low, value);
    most = fmax(most, gauss_seidel_at(value, &colours, axes, omega));
  }
  return most;
}

/* By golden section: the factor falls, then rises with omega. */
static double best_omega(const struct gen_stencil *stencil, const struct gen_guard *colouring)
{
  const double golden = 0.6180339887498949;
  double low = 0.6, high = 1.7;
  while (high - low > 0.005) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (gauss_seidel(stencil, colouring, a, coarse_steps)
        < gauss_seidel(stencil, colouring, b, coarse_steps))
      high = b;
    else
      low = a;
  }
  return round(50 * (low + high)) / 100;
}

double gen_gauss_seidel_factor(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                               double omega)
{
  return gauss_seidel(stencil, colouring, omega, fine_steps);
}

struct gen_smoothing gen_smoothing_of(const struct gen_stencil *stencil,
                                      const struct gen_guard *colouring)
{
  struct gen_smoothing result = {0};
  jacobi(stencil, &result);
  result.plain = gen_gauss_seidel_factor(stencil, colouring, 1);
  result.best_omega = best_omega(stencil, colouring);
  result.best = gen_gauss_seidel_factor(stencil, colouring, result.best_omega);
  return result;
}
