#include "symbol.h"

#include "check/colouring.h"

#include <math.h>
#include <string.h>

enum { HARMONICS = 8, SQUARINGS = 12, COARSE_STEPS = 4, FINE_STEPS = 8 };
static const double pi = 3.14159265358979323846;

struct matrix {
  double at[HARMONICS][HARMONICS];
};

/* ---- the stencil ---- */

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

static double diagonal_of(const struct gen_stencil *stencil)
{
  const int here = find_point(stencil, (const int[3]){0, 0, 0}, 1);
  return here < 0 ? 0 : stencil->point[here].weight;
}

/* The axes along which the stencil couples points, a bit each. */
static int coupled_axes(const struct gen_stencil *stencil)
{
  int axes = 0;
  for (int n = 0; n < stencil->points; n++)
    for (int a = 0; a < 3; a++)
      axes |= (stencil->point[n].offset[a] != 0) << a;
  return axes;
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
  const double diagonal = diagonal_of(stencil);
  for (int n = 0; n < stencil->points; n++) {
    const int other = find_point(stencil, stencil->point[n].offset, -1);
    const double opposite = other < 0 ? 0 : stencil->point[other].weight;
    if (!(fabs(opposite - stencil->point[n].weight) <= 1e-12 * diagonal))
      return false;
  }
  return diagonal > 0 && coupled_axes(stencil);
}

/* ---- the symbol ---- */

/* Over the diagonal. */
static double symbol(const struct gen_stencil *stencil, const double theta[3])
{
  double sum = 0;
  for (int n = 0; n < stencil->points; n++) {
    const int *offset = stencil->point[n].offset;
    sum += stencil->point[n].weight
      * cos(theta[0] * offset[0] + theta[1] * offset[1] + theta[2] * offset[2]);
  }
  return sum / diagonal_of(stencil);
}

/* Low frequencies number `index` of (2 steps + 1)^3 between -pi/2 and pi/2. */
static void frequency(int axes, int steps, int index, double theta[3])
{
  const int side = 2 * steps + 1;
  for (int a = 0; a < 3; a++, index /= side)
    theta[a] = axes >> a & 1 ? pi / 2 * (index % side - steps) / steps : 0;
}

/* The frequencies that one low one has as its harmonics: pi is added along the axes in the bits. */
static void symbols_at(const struct gen_stencil *stencil, const double low[3], double value[])
{
  for (int h = 0; h < HARMONICS; h++) {
    const double theta[3] = {low[0] + pi * (h & 1), low[1] + pi * (h >> 1 & 1),
                             low[2] + pi * (h >> 2 & 1)};
    value[h] = symbol(stencil, theta);
  }
}

static int frequencies(int steps)
{
  return (2 * steps + 1) * (2 * steps + 1) * (2 * steps + 1);
}

static void jacobi(const struct gen_stencil *stencil, struct gen_smoothing *result)
{
  const int axes = coupled_axes(stencil);
  result->least = INFINITY;
  result->most = result->overall = -INFINITY;
  for (int n = 0; n < frequencies(FINE_STEPS); n++) {
    double low[3], value[HARMONICS];
    frequency(axes, FINE_STEPS, n, low);
    symbols_at(stencil, low, value);
    for (int h = 0; h < HARMONICS; h++) {
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

/* ---- Gauss-Seidel by colours ---- */

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
  struct matrix c = {0};
  for (int i = 0; i < HARMONICS; i++)
    for (int k = 0; k < HARMONICS; k++)
      for (int j = 0; j < HARMONICS; j++)
        c.at[i][j] += a->at[i][k] * b->at[k][j];
  return c;
}

/* By repeated squaring: the norm of the power 2^SQUARINGS, to one over that. */
static double spectral_radius(struct matrix a)
{
  double logarithm = 0, share = 1;
  for (int s = 0; s <= SQUARINGS; s++, share /= 2) {
    double size = 0;
    for (int n = 0; n < HARMONICS * HARMONICS; n++)
      size = hypot(size, a.at[n / HARMONICS][n % HARMONICS]);
    if (size < 1e-100)
      return 0;
    for (int n = 0; n < HARMONICS * HARMONICS; n++)
      a.at[n / HARMONICS][n % HARMONICS] /= size;
    logarithm += share * log(size);
    a = product(&a, &a);
  }
  return exp(logarithm);
}

/* What the cells of the colour alone hold of harmonic `from`, seen in harmonic `to`. */
static double part_of_colour(const struct gen_guard *colouring, int axes, int colour, int to,
                             int from)
{
  const int change = to ^ from;
  if (colouring->kind == GEN_PARITY)
    return change == 0 ? 0.5 : change != axes ? 0 : colour ? -0.5 : 0.5;
  double part = 1;
  for (int a = 0; a < 3; a++) {
    const int moves = change >> a & 1, digit = colour % colouring->modulus[a];
    colour /= colouring->modulus[a];
    const bool split = colouring->modulus[a] == 2 && axes >> a & 1;
    if (split)
      part *= moves && digit ? -0.5 : 0.5;
    else if (moves || digit)
      return 0;
  }
  return part;
}

static double gauss_seidel_at(const double value[], const struct gen_guard *colouring, int axes,
                              double omega)
{
  const int colours = gen_colours(colouring);
  struct matrix sweep = {0};
  for (int h = 0; h < HARMONICS; h++)
    sweep.at[h][h] = h & axes ? 1 : 0;
  /* The coarse-grid correction stands first: the radius is that of the product in any order. */
  for (int colour = 0; colour < colours; colour++) {
    struct matrix step = {0};
    for (int to = 0; to < HARMONICS; to++)
      for (int from = 0; from < HARMONICS; from++)
        step.at[to][from] =
          (to == from) - omega * part_of_colour(colouring, axes, colour, to, from) * value[from];
    sweep = product(&step, &sweep);
  }
  for (int h = 0; h < HARMONICS; h++)
    for (int from = 0; from < HARMONICS && !(h & axes); from++)
      sweep.at[h][from] = 0;
  return spectral_radius(sweep);
}

static double gauss_seidel(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                           double omega, int steps)
{
  const int axes = coupled_axes(stencil);
  double most = 0;
  /* The upper half of them: the symbol is the same at -theta. */
  for (int n = frequencies(steps) / 2; n < frequencies(steps); n++) {
    double low[3], value[HARMONICS];
    frequency(axes, steps, n, low);
    symbols_at(stencil, low, value);
    most = fmax(most, gauss_seidel_at(value, colouring, axes, omega));
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
    if (gauss_seidel(stencil, colouring, a, COARSE_STEPS)
        < gauss_seidel(stencil, colouring, b, COARSE_STEPS))
      high = b;
    else
      low = a;
  }
  return round(50 * (low + high)) / 100;
}

double gen_gauss_seidel_factor(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                               double omega)
{
  return gauss_seidel(stencil, colouring, omega, FINE_STEPS);
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
