#include "stencil.h"

/* Two loop nests in one function.
 * reject: is a loop after the loops */
GMG_KERNEL
void two_nests(int boxes, int nk, int nj, int ni,
               double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k][j][i];
  for (int box = 0; box < boxes; box++) /* here */
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k][j][i];
}
