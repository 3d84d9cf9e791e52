#include "stencil.h"

/* A bound that depends on another loop.
 * reject: 'j' is no loop bound */
GMG_KERNEL
void loop_triangular(int boxes, int nk, int nj, int ni,
                     double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= j; i++) /* here */
          w[box][k][j][i] = u[box][k][j][i];
}
