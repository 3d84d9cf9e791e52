#include "stencil.h"

/* examples/programs/heat3d.stencil */
GMG_KERNEL
void heat3d(int boxes, int nk, int nj, int ni, double beta, double alpha,
            const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            double next_u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double tmp = (u[box][k][j][i + 1] + u[box][k][j][i - 1] + u[box][k][j + 1][i]
                        + u[box][k][j - 1][i] + u[box][k + 1][j][i] + u[box][k - 1][j][i])
            * beta;
          next_u[box][k][j][i] = tmp + alpha * u[box][k][j][i];
        }
}
