#include "stencil.h"

/* A jump.
 * reject: 'goto out' is a goto */
GMG_KERNEL
void goto_label(int boxes, int nk, int nj, int ni,
                double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          goto out; /* here */
        out:
          w[box][k][j][i] = u[box][k][j][i];
        }
}
