#include "stencil.h"

/* Sums over all cells. The compiler emits sums that do not depend on the order of the cells, and
 * that find the largest |term| beside. */

/* Σ x y */
GMG_KERNEL
double dot(int boxes, int nk, int nj, int ni, const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
           const double y[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += x[box][k][j][i] * y[box][k][j][i];
  return sum;
}

/* Σ x: of cell integrals */
GMG_KERNEL
double sum(int boxes, int nk, int nj, int ni, const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += x[box][k][j][i];
  return sum;
}

/* Σ x volume: the integral of a density */
GMG_KERNEL
double integral(int boxes, int nk, int nj, int ni,
                const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
                const double h_k[nk + 2] LINE_K(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          sum += h_k[k] * h_j[j] * h_i[i] * x[box][k][j][i];
  return sum;
}

/* Σ (x / volume)²: of cell integrals, the squares of their densities */
GMG_KERNEL
double density_squares(int boxes, int nk, int nj, int ni,
                       const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                       const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
                       const double h_k[nk + 2] LINE_K(1))
{
  double sum = 0;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double density = x[box][k][j][i] * (1 / (h_k[k] * h_j[j] * h_i[i]));
          sum += density * density;
        }
  return sum;
}
