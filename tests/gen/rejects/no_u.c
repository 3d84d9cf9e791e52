#include "stencil.h"

/* An operator without its unknown.
 * reject: 'u' */
GMG_OPERATOR
void no_u(int boxes, int nk, int nj, int ni, /* here */
          double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double f[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = f[box][k][j][i];
}
