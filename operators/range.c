#include "stencil.h"

#include <math.h>

/* What setup must know of coefficients. Of most of these sums only the maximum of the terms counts,
 * which every sum finds beside. */

/* The ratio of β on the two faces of a cell normal to i, the larger over the smaller. */
GMG_KERNEL
double face_ratio_i(int boxes, int nk, int nj, int ni,
                    const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmax(beta_i[box][k][j][i + 1] / beta_i[box][k][j][i],
                      beta_i[box][k][j][i] / beta_i[box][k][j][i + 1]);
  return sum;
}

/* The ratio of β on the two faces of a cell normal to j, the larger over the smaller. */
GMG_KERNEL
double face_ratio_j(int boxes, int nk, int nj, int ni,
                    const double beta_j[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmax(beta_j[box][k][j + 1][i] / beta_j[box][k][j][i],
                      beta_j[box][k][j][i] / beta_j[box][k][j + 1][i]);
  return sum;
}

/* The ratio of β on the two faces of a cell normal to k, the larger over the smaller. */
GMG_KERNEL
double face_ratio_k(int boxes, int nk, int nj, int ni,
                    const double beta_k[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmax(beta_k[box][k + 1][j][i] / beta_k[box][k][j][i],
                      beta_k[box][k][j][i] / beta_k[box][k + 1][j][i]);
  return sum;
}

/* The ratio of β on the low face of a cell normal to i and on that normal to j or to k, whichever
 * differs more, the larger over the smaller. */
GMG_KERNEL
double low_face_ratio(int boxes, int nk, int nj, int ni,
                      const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                      const double beta_j[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                      const double beta_k[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmax(fmax(beta_i[box][k][j][i] / beta_j[box][k][j][i],
                           beta_j[box][k][j][i] / beta_i[box][k][j][i]),
                      fmax(beta_i[box][k][j][i] / beta_k[box][k][j][i],
                           beta_k[box][k][j][i] / beta_i[box][k][j][i]));
  return sum;
}

/* 1 where β on the two faces of a cell normal to i differs by more than the ratio, else 0. */
GMG_KERNEL
double look_steps_i(int boxes, int nk, int nj, int ni, double ratio,
                    const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmin(1,
                      fmax(0,
                           (fmax(beta_i[box][k][j][i + 1] / beta_i[box][k][j][i],
                                 beta_i[box][k][j][i] / beta_i[box][k][j][i + 1])
                            - ratio)
                             * 1e30));
  return sum;
}

/* 1 where β on the two faces of a cell normal to j differs by more than the ratio, else 0. */
GMG_KERNEL
double look_steps_j(int boxes, int nk, int nj, int ni, double ratio,
                    const double beta_j[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmin(1,
                      fmax(0,
                           (fmax(beta_j[box][k][j + 1][i] / beta_j[box][k][j][i],
                                 beta_j[box][k][j][i] / beta_j[box][k][j + 1][i])
                            - ratio)
                             * 1e30));
  return sum;
}

/* 1 where β on the two faces of a cell normal to k differs by more than the ratio, else 0. */
GMG_KERNEL
double look_steps_k(int boxes, int nk, int nj, int ni, double ratio,
                    const double beta_k[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += fmin(1,
                      fmax(0,
                           (fmax(beta_k[box][k + 1][j][i] / beta_k[box][k][j][i],
                                 beta_k[box][k][j][i] / beta_k[box][k + 1][j][i])
                            - ratio)
                             * 1e30));
  return sum;
}

/* Finite where the value is finite and above 0, else infinite or not a number. */
GMG_KERNEL
double look_positive(int boxes, int nk, int nj, int ni,
                     const double positive[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += positive[box][k][j][i] + 1 / sqrt(positive[box][k][j][i]);
  return sum;
}

/* Finite where factor x value is finite and not below 0, else infinite or not a number. */
GMG_KERNEL
double look_not_negative(int boxes, int nk, int nj, int ni, double factor,
                         const double positive[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += sqrt(factor * positive[box][k][j][i]);
  return sum;
}

/* Finite where the value is finite. */
GMG_KERNEL
double look_finite(int boxes, int nk, int nj, int ni,
                   const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += x[box][k][j][i];
  return sum;
}

/* The distance of factor x value, rounded, from a constant: 0 where they are equal. */
GMG_KERNEL
double look_difference(int boxes, int nk, int nj, int ni, double factor, double constant,
                       const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum +=
            fmax(factor * x[box][k][j][i], constant) - fmin(factor * x[box][k][j][i], constant);
  return sum;
}
