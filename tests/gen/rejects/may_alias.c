#include "stencil.h"

/* Two arrays that may overlap.
 * reject: 'w' is written and may overlap 'u' */
GMG_KERNEL
void may_alias(int boxes, int nk, int nj, int ni,
               double w[boxes][nk + 2][nj + 2][ni + 2] CELL(1) /* here */,
               const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k][j][i - 1] + u[box][k][j][i + 1];
}
