#include "stencil.h"

/* Piecewise-constant interpolation of the correction with the increment: fine += s P coarse. parent
 * is the coarse cell that covers a fine one. */
GMG_KERNEL
void interpolate_constant(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s,
                          double fine[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                          const double coarse[boxes][mk + 2][mj + 2][mi + 2] COARSE_CELL(1),
                          const int parent_i[ni + 2] PARENT_I(1),
                          const int parent_j[nj + 2] TABLE_J(1, 0),
                          const int parent_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          fine[box][k][j][i] += s * coarse[box][parent_k[k]][parent_j[j]][parent_i[i]];
}
