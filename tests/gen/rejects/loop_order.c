#include "stencil.h"

/* Loops in the wrong order.
 * reject: wrong loop order: the loop over 'i' stands where that over 'k' belongs */
GMG_KERNEL
void loop_order(int boxes, int nk, int nj, int ni,
                double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int i = 1; i <= ni; i++) /* here */
      for (int j = 1; j <= nj; j++)
        for (int k = 1; k <= nk; k++)
          w[box][k][j][i] = u[box][k][j][i];
}
