#include "stencil.h"

/* An array without the dimension of boxes.
 * reject: array 'u' has 3 dimensions; with the note 'cell 1' it has 4 */
GMG_KERNEL
void three_dimensions(int boxes, int nk, int nj, int ni,
                      double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                      const double u[nk + 2][nj + 2][ni + 2] CELL(1) /* here */)
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[k][j][i];
}
