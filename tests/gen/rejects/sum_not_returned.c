#include "stencil.h"

/* A sum that is lost.
 * reject: 's' is a sum or a maximum over all iterations, but is not returned */
GMG_KERNEL
void sum_not_returned(int boxes, int nk, int nj, int ni,
                      const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double s = 0; /* here */
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          s += u[box][k][j][i];
}
