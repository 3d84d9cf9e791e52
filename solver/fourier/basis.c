#include "basis.h"

#include "system/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define PI 3.14159265358979323846

enum gmg_basis_kind gmg_basis_kind_of(const struct gmg_axis *axis)
{
  if (axis->kind[0] == GMG_PERIODIC)
    return GMG_BASIS_PERIODIC;
  const double low = gmg_axis_ghost_factor(axis, 0), high = gmg_axis_ghost_factor(axis, 1);
  if (fabs(low) != 1 || fabs(high) != 1)
    return GMG_BASIS_NONE;
  if (low == high)
    return low < 0 ? GMG_BASIS_DIRICHLET : GMG_BASIS_NEUMANN;
  return low < 0 ? GMG_BASIS_DIRICHLET_NEUMANN : GMG_BASIS_NEUMANN_DIRICHLET;
}

static int is_quarter(const struct gmg_basis *b)
{
  return b->kind == GMG_BASIS_NEUMANN_DIRICHLET || b->kind == GMG_BASIS_DIRICHLET_NEUMANN;
}

/* times θ of the k-th function, less whole turns. */
static double turned(enum gmg_basis_kind kind, int n, int k, int times)
{
  const int quarter = kind == GMG_BASIS_NEUMANN_DIRICHLET || kind == GMG_BASIS_DIRICHLET_NEUMANN;
  /* The angle is π · part / whole, which is reduced in whole numbers. */
  const int64_t whole = quarter ? 2 * (int64_t)n : n,
                part = kind == GMG_BASIS_PERIODIC ? 2 * (int64_t)k
    : kind == GMG_BASIS_NEUMANN                   ? k
    : kind == GMG_BASIS_DIRICHLET                 ? n - k
                                                  : 2 * (int64_t)k + 1;
  return PI * (double)(times * part % (2 * whole)) / (double)whole;
}

double gmg_basis_cosine(enum gmg_basis_kind kind, int n, int k, int times)
{
  return cos(turned(kind, n, k, times));
}

double gmg_basis_sine(enum gmg_basis_kind kind, int n, int k, int times)
{
  return sin(turned(kind, n, k, times));
}

/* Even values upwards, then odd ones downwards: half of the line and its mirror image, of which the
 * other half follows by symmetry. */
static void fill_order(struct gmg_basis *b)
{
  const int n = b->n, folds = b->kind == GMG_BASIS_DIRICHLET || is_quarter(b);
  for (int m = 0; m < n; m++) {
    const int up = 2 * m < n;
    b->source[m] = b->kind == GMG_BASIS_PERIODIC ? m : up ? 2 * m : 2 * n - 1 - 2 * m;
    b->sign[m] = folds && !up ? -1 : 1;
    b->before[m][0] = cos(PI * m / n);
    b->before[m][1] = sin(PI * m / n);
  }
}

static double angle_of(const struct gmg_basis *b, int k)
{
  return is_quarter(b) ? PI * (2.0 * k + 1) / (4.0 * b->n) : PI * k / (2.0 * b->n);
}

static void fill_coefficients(struct gmg_basis *b)
{
  for (int k = 0; k < b->n; k++) {
    const int periodic = b->kind == GMG_BASIS_PERIODIC;
    b->after[k][0] = periodic ? 1 : cos(angle_of(b, k));
    b->after[k][1] = periodic ? -1 : sin(angle_of(b, k));
    const double half = periodic       ? PI * k / b->n
      : b->kind == GMG_BASIS_DIRICHLET ? angle_of(b, b->n - k)
                                       : angle_of(b, k);
    b->eigenvalue[k] = 4 * sin(half) * sin(half);
  }
}

int gmg_basis_create(enum gmg_basis_kind kind, int n, struct gmg_basis *b)
{
  const size_t count = (size_t)n;
  *b = (struct gmg_basis){.kind = kind, .n = n};
  b->source = gmg_calloc(count, sizeof *b->source);
  b->sign = gmg_calloc(count, sizeof *b->sign);
  b->before = gmg_calloc(count, sizeof *b->before);
  b->after = gmg_calloc(count, sizeof *b->after);
  b->eigenvalue = gmg_calloc(count, sizeof *b->eigenvalue);
  if (!b->source || !b->sign || !b->before || !b->after || !b->eigenvalue)
    return -1;
  fill_order(b);
  fill_coefficients(b);
  b->scale = is_quarter(b) ? 0.5 * n : n;
  return 0;
}

int gmg_basis_paired(int n, int place)
{
  const int odd = n % 2, k = place / 2 + odd;
  if (!odd && place < 2)
    return place * (n / 2);
  return odd && place == n - 1 ? 0 : place % 2 ? n - k : k;
}

int gmg_basis_pair(struct gmg_basis *b)
{
  double *eigenvalue = gmg_calloc((size_t)b->n, sizeof *eigenvalue);
  b->order = gmg_calloc((size_t)b->n, sizeof *b->order);
  for (int m = 0; m < b->n && b->order && eigenvalue; m++) {
    b->order[m] = gmg_basis_paired(b->n, m);
    eigenvalue[m] = b->eigenvalue[b->order[m]];
  }
  const int failed = !b->order || !eigenvalue;
  if (!failed)
    memcpy(b->eigenvalue, eigenvalue, (size_t)b->n * sizeof *eigenvalue);
  gmg_free(eigenvalue);
  return failed ? -1 : 0;
}

void gmg_basis_clear(struct gmg_basis *b)
{
  gmg_free(b->source);
  gmg_free(b->sign);
  gmg_free(b->before);
  gmg_free(b->after);
  gmg_free(b->eigenvalue);
  gmg_free(b->order);
  *b = (struct gmg_basis){.kind = GMG_BASIS_NONE};
}

/* Element j of eigenvector k, but for its length; angles are counted in parts of a turn, so that
 * they are exact. */
static double element(const struct gmg_basis *b, int64_t k, int64_t j)
{
  const int64_t n = b->n;
  const int64_t cell = b->kind == GMG_BASIS_DIRICHLET_NEUMANN ? n - 1 - j : j, odd = 2 * cell + 1;
  double angle;
  switch (b->kind) {
  case GMG_BASIS_PERIODIC:
    angle = 2 * PI * (double)(j * k % n) / (double)n;
    return cos(angle) + sin(angle);
  case GMG_BASIS_NEUMANN:
    return cos(PI * (double)(odd * k % (4 * n)) / (2.0 * (double)n));
  case GMG_BASIS_DIRICHLET:
    return sin(PI * (double)(odd * (n - k) % (4 * n)) / (2.0 * (double)n));
  default:
    return cos(PI * (double)(odd * (2 * k + 1) % (8 * n)) / (4.0 * (double)n));
  }
}

void gmg_basis_matrix(const struct gmg_basis *b, double *matrix)
{
  const int constant = b->kind == GMG_BASIS_NEUMANN || b->kind == GMG_BASIS_DIRICHLET;
  for (int k = 0; k < b->n; k++) {
    const double square = b->kind == GMG_BASIS_PERIODIC || (constant && k == 0) ? b->n : 0.5 * b->n;
    for (int j = 0; j < b->n; j++)
      matrix[(size_t)k * (size_t)b->n + (size_t)j] = element(b, k, j) / sqrt(square);
  }
}

/* work = the values in the order of the complex transform. */
static void load(const struct gmg_basis *b, const struct gmg_complex *x, struct gmg_complex *work)
{
  for (int m = 0; m < b->n; m++) {
    const double sign = b->sign[m];
    const struct gmg_complex *value = &x[b->source[m]];
    for (int l = 0; l < GMG_FFT_LANES; l++) {
      work[m].re[l] = sign * value->re[l];
      work[m].im[l] = sign * value->im[l];
    }
  }
  for (int m = 0; m < b->n && is_quarter(b); m++) { /* times exp(−iπ m / n) */
    const double c = b->before[m][0], s = b->before[m][1];
    for (int l = 0; l < GMG_FFT_LANES; l++) {
      const double re = work[m].re[l], im = work[m].im[l];
      work[m].re[l] = c * re + s * im;
      work[m].im[l] = c * im - s * re;
    }
  }
}

/* The coefficients of both lines from the complex transform of their pair: that of each line is
 * conjugate symmetric about k = 0, or about k = −1/2 for quarter waves. Coefficients k and `other`;
 * they may be the same. */
static void separate_two(const struct gmg_basis *b, const struct gmg_complex *z, int k, int other,
                         struct gmg_complex *x)
{
  const double *at = b->after[k], *mirrored = b->after[other];
  for (int l = 0; l < GMG_FFT_LANES; l++) {
    const double first[2] = {0.5 * (z[k].re[l] + z[other].re[l]),
                             0.5 * (z[k].im[l] - z[other].im[l])};
    const double second[2] = {0.5 * (z[k].im[l] + z[other].im[l]),
                              0.5 * (z[other].re[l] - z[k].re[l])};
    x[k].re[l] = at[0] * first[0] + at[1] * first[1];
    x[k].im[l] = at[0] * second[0] + at[1] * second[1];
    x[other].re[l] = mirrored[0] * first[0] - mirrored[1] * first[1];
    x[other].im[l] = mirrored[0] * second[0] - mirrored[1] * second[1];
  }
}

static void separate(const struct gmg_basis *b, const struct gmg_complex *z, struct gmg_complex *x)
{
  const int n = b->n, quarter = is_quarter(b);
  for (int k = 0; 2 * k <= n; k++) {
    const int other = quarter ? n - 1 - k : k == 0 ? 0 : n - k;
    if (k <= other)
      separate_two(b, z, k, other, x);
  }
}

static void reverse(int n, struct gmg_complex *x)
{
  for (int low = 0, high = n - 1; low < high; low++, high--) {
    const struct gmg_complex kept = x[low];
    x[low] = x[high];
    x[high] = kept;
  }
}

void gmg_basis_forward(const struct gmg_basis *b, struct gmg_line_fft *fft, struct gmg_complex *x,
                       struct gmg_complex *work)
{
  if (b->kind == GMG_BASIS_DIRICHLET_NEUMANN)
    reverse(b->n, x);
  load(b, x, work);
  gmg_line_fft_run(fft, work, work + b->n);
  separate(b, work + b->n, x);
  if (b->order)
    memcpy(work, x, (size_t)b->n * sizeof *x);
  for (int m = 0; m < b->n && b->order; m++)
    x[m] = work[b->order[m]];
}

/* The inverse of `separate` of half waves. Real and imaginary part change places, here and after
 * the transform, which makes an inverse transform of a forward one. */
static void combine(const struct gmg_basis *b, const struct gmg_complex *x,
                    struct gmg_complex *work)
{
  const int n = b->n;
  for (int l = 0; l < GMG_FFT_LANES; l++) {
    work[0].re[l] = x[0].im[l];
    work[0].im[l] = x[0].re[l];
  }
  for (int k = 1; k < n; k++) {
    const double c = b->after[k][0], s = b->after[k][1];
    for (int l = 0; l < GMG_FFT_LANES; l++) {
      const double re = x[k].re[l] + x[n - k].im[l], im = x[k].im[l] - x[n - k].re[l];
      work[k].im[l] = c * re - s * im;
      work[k].re[l] = c * im + s * re;
    }
  }
}

void gmg_basis_backward(const struct gmg_basis *b, struct gmg_line_fft *fft, struct gmg_complex *x,
                        struct gmg_complex *work)
{
  struct gmg_complex *transformed = work + b->n;
  if (b->order)
    memcpy(work, x, (size_t)b->n * sizeof *x);
  for (int m = 0; m < b->n && b->order; m++)
    x[b->order[m]] = work[m];
  if (b->kind == GMG_BASIS_NEUMANN || b->kind == GMG_BASIS_DIRICHLET) {
    combine(b, x, work);
    gmg_line_fft_run(fft, work, transformed);
    for (int m = 0; m < b->n; m++) {
      struct gmg_complex *to = &x[b->source[m]];
      for (int l = 0; l < GMG_FFT_LANES; l++) {
        to->re[l] = b->sign[m] * transformed[m].im[l];
        to->im[l] = b->sign[m] * transformed[m].re[l];
      }
    }
    return;
  }
  /* The others are their own inverses, but for the scale. */
  load(b, x, work);
  gmg_line_fft_run(fft, work, transformed);
  separate(b, transformed, x);
  if (b->kind == GMG_BASIS_DIRICHLET_NEUMANN)
    reverse(b->n, x);
}
