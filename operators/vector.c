#include "stencil.h"

/* y += s x */
GMG_KERNEL
void axpy(int boxes, int nk, int nj, int ni, double s,
          double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] += s * x[box][k][j][i];
}

/* y = s y + x */
GMG_KERNEL
void xpay(int boxes, int nk, int nj, int ni, double s,
          double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = s * y[box][k][j][i] + x[box][k][j][i];
}

/* y = s y + x + c1 w */
GMG_KERNEL
void xpay_add(int boxes, int nk, int nj, int ni, double s, double c1,
              double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double w[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = s * y[box][k][j][i] + x[box][k][j][i] + c1 * w[box][k][j][i];
}

/* y = s */
GMG_KERNEL
void set(int boxes, int nk, int nj, int ni, double s,
         double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = s;
}

/* y = x */
GMG_KERNEL
void copy(int boxes, int nk, int nj, int ni,
          double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = x[box][k][j][i];
}

/* y = z x, cell by cell */
GMG_KERNEL
void multiply(int boxes, int nk, int nj, int ni,
              double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double z[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = z[box][k][j][i] * x[box][k][j][i];
}

/* y = x volume: from a density to its integral over the cell */
GMG_KERNEL
void integrate(int boxes, int nk, int nj, int ni,
               double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
               const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = h_k[k] * h_j[j] * h_i[i] * x[box][k][j][i];
}

/* y += s volume: a constant density, added */
GMG_KERNEL
void add_volume(int boxes, int nk, int nj, int ni, double s,
                double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
                const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] += s * (h_k[k] * h_j[j] * h_i[i]);
}

/* y += s */
GMG_KERNEL
void add_constant(int boxes, int nk, int nj, int ni, double s,
                  double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] += s;
}

/* y = x / volume: from an integral over the cell to its density */
GMG_KERNEL
void density(int boxes, int nk, int nj, int ni,
             double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
             const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = x[box][k][j][i] / (h_k[k] * h_j[j] * h_i[i]);
}
