#include "stencil.h"
#include <math.h>

/* A function that kernels do not have.
 * reject: 'pow\(u\[box\]\[k\]\[j\]\[i\], 3\)' calls a function other than */
GMG_KERNEL
void call(int boxes, int nk, int nj, int ni,
          double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = pow(u[box][k][j][i], 3); /* here */
}
