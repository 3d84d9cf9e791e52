#include "stencil.h"

/* A sum that does not start from 0.
 * reject: 's' must start from 0 */
GMG_KERNEL
double sum_with_start(int boxes, int nk, int nj, int ni,
                      const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double s = 1; /* here */
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          s += u[box][k][j][i];
  return s;
}
