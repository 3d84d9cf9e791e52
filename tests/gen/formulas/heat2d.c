#include "stencil.h"

/* examples/programs/heat2d.stencil */
GMG_KERNEL
void heat2d(int boxes, int nk, int nj, int ni, double r,
            const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            double next_u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          next_u[box][k][j][i] = u[box][k][j][i]
            + r
              * (u[box][k][j][i + 1] + u[box][k][j][i - 1] + u[box][k][j + 1][i]
                 + u[box][k][j - 1][i] - 4 * u[box][k][j][i]);
}
