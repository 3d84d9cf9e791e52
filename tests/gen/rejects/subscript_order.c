#include "stencil.h"

/* Subscripts in the wrong order.
 * reject: wrong loop order: subscript . of 'u\[box\]\[i\]\[j\]\[k\]' */
GMG_KERNEL
void subscript_order(int boxes, int nk, int nj, int ni,
                     double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double u[boxes][ni + 2][nj + 2][nk + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][i][j][k]; /* here */
}
