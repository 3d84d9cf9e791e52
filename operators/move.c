#include "stencil.h"

/* y = s x, each cell from a place of its own: what exchanges are made of where memory is a
 * device's. x lies in storage of another shape, as a field of another level does. */
GMG_KERNEL
void move(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s,
          double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double x[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
          const int at_i[ni + 2] TABLE_I(1, 0), const int at_j[nj + 2] TABLE_J(1, 0),
          const int at_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = s * x[box][at_k[k]][at_j[j]][at_i[i]];
}

/* y += s x, likewise: what boundary values add to the right side */
GMG_KERNEL
void add_values(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s,
                double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double x[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                const int at_i[ni + 2] TABLE_I(1, 0), const int at_j[nj + 2] TABLE_J(1, 0),
                const int at_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] += s * x[box][at_k[k]][at_j[j]][at_i[i]];
}

/* The same where the right side is held in float: s is a power of two */
GMG_KERNEL
void add_values_single(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s,
                       double single[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                       const double x[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                       const int at_i[ni + 2] TABLE_I(1, 0), const int at_j[nj + 2] TABLE_J(1, 0),
                       const int at_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          single[box][k][j][i] += s * x[box][at_k[k]][at_j[j]][at_i[i]];
}

/* What stands beyond walls of programs: a ghost is the image of the cell that the tables name along
 * x, then along y, then along z, each time constant + sign * value. Where an axis has no wall the
 * cell is the ghost's own, the sign 1 and the constant -0, which leaves every value as it is. */
GMG_KERNEL
void reflect(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
             double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double x[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
             const int at_i[ni + 2] TABLE_I(1, 0), const int at_j[nj + 2] TABLE_J(1, 0),
             const int at_k[nk + 2] TABLE_K(1, 0), const double sign_i[ni + 2] LINE_I(1),
             const double sign_j[nj + 2] LINE_J(1), const double sign_k[nk + 2] LINE_K(1),
             const double constant_i[ni + 2] LINE_I(1), const double constant_j[nj + 2] LINE_J(1),
             const double constant_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] = constant_k[k]
            + sign_k[k]
              * (constant_j[j]
                 + sign_j[j] * (constant_i[i] + sign_i[i] * x[box][at_k[k]][at_j[j]][at_i[i]]));
}
