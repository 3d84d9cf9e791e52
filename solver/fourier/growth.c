#include "growth.h"

#include <math.h>

enum { SQUARINGS = 24 };

/* The largest sum of the sizes of a row's elements: no eigenvalue is larger. */
static double bound(const struct gmg_growth_matrix *matrix)
{
  double most = 0;
  for (int i = 0; i < matrix->n; i++) {
    double sum = 0;
    for (int j = 0; j < matrix->n; j++)
      sum += cabs(matrix->a[i][j]);
    most = sum > most || isnan(sum) ? sum : most;
  }
  return most;
}

double gmg_growth_rounding(int n)
{
  return n <= 2 ? 1e-7 : 1e-5; /* of two eigenvalues that are equal: the root of an epsilon */
}

static struct gmg_growth_matrix squared(const struct gmg_growth_matrix *m)
{
  struct gmg_growth_matrix square = {.n = m->n};
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < m->n; k++)
      for (int j = 0; j < m->n; j++)
        square.a[i][j] += m->a[i][k] * m->a[k][j];
  return square;
}

/* The limit of |A^m|^(1/m), with m = 2, 4, 8, … */
static double radius_by_squaring(const struct gmg_growth_matrix *matrix, double least)
{
  struct gmg_growth_matrix m = *matrix;
  double logarithm = 0, part = 1;
  for (int n = 0; n <= SQUARINGS; n++) {
    const double norm = bound(&m);
    if (!(norm > 0) || isinf(norm))
      return norm;
    logarithm += part * log(norm);
    part /= 2;
    if (exp(logarithm) <= least) /* these values fall */
      return least;
    for (int i = 0; i < m.n; i++)
      for (int j = 0; j < m.n; j++)
        m.a[i][j] /= norm;
    m = squared(&m);
  }
  return exp(logarithm);
}

double gmg_growth_radius(const struct gmg_growth_matrix *m, double least)
{
  if (m->n > 2)
    return radius_by_squaring(m, least);
  if (m->n < 2)
    return m->n ? cabs(m->a[0][0]) : 0;
  const double complex half = (m->a[0][0] + m->a[1][1]) / 2, apart = (m->a[0][0] - m->a[1][1]) / 2,
                       root = csqrt(apart * apart + m->a[0][1] * m->a[1][0]);
  return fmax(cabs(half + root), cabs(half - root));
}
