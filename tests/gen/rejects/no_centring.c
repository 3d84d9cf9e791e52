#include "stencil.h"

/* An array without its centring.
 * reject: array 'u' has no centring note */
GMG_KERNEL
void no_centring(int boxes, int nk, int nj, int ni,
                 double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double u[boxes][nk + 2][nj + 2][ni + 2] /* here */)
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k][j][i];
}
