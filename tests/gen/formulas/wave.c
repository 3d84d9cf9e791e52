#include "stencil.h"

/* examples/programs/wave.stencil */
GMG_KERNEL
void wave(int boxes, int nk, int nj, int ni, double c2,
          const double p[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double past1_p[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          double next_p[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double around = p[box][k][j][i + 1] + p[box][k][j][i - 1] + p[box][k][j + 1][i]
            + p[box][k][j - 1][i] + p[box][k + 1][j][i] + p[box][k - 1][j][i];
          next_p[box][k][j][i] =
            2 * p[box][k][j][i] - past1_p[box][k][j][i] + c2 * (around - 6 * p[box][k][j][i]);
        }
}
