#include "stencil.h"

/* y += s x */
GMG_KERNEL
void axpy(int boxes, int nk, int nj, int ni, double s, double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double x[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          y[box][k][j][i] += s * x[box][k][j][i];
}
