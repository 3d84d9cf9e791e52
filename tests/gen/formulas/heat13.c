#include "stencil.h"

/* examples/programs/heat13.stencil */
GMG_KERNEL
void heat13(int boxes, int nk, int nj, int ni, double r,
            const double u[boxes][nk + 4][nj + 4][ni + 4] CELL(2),
            double v[restrict boxes][nk + 4][nj + 4][ni + 4] CELL(2))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 2; k < nk + 2; k++)
      for (int j = 2; j < nj + 2; j++)
        for (int i = 2; i < ni + 2; i++) {
          double near = u[box][k][j][i + 1] + u[box][k][j][i - 1] + u[box][k][j + 1][i]
            + u[box][k][j - 1][i] + u[box][k + 1][j][i] + u[box][k - 1][j][i];
          double far = u[box][k][j][i + 2] + u[box][k][j][i - 2] + u[box][k][j + 2][i]
            + u[box][k][j - 2][i] + u[box][k + 2][j][i] + u[box][k - 2][j][i];
          v[box][k][j][i] =
            u[box][k][j][i] + r * (4.0 / 3.0 * near - 1.0 / 12.0 * far - 7.5 * u[box][k][j][i]);
        }
}
