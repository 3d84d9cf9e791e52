#include "stencil.h"

/* A branch on a value.
 * reject: 'u\[box\]\[k\]\[j\]\[i\] > 0' is no colour */
GMG_KERNEL
void guard_on_value(int boxes, int nk, int nj, int ni,
                    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          if (u[box][k][j][i] > 0) /* here */
            w[box][k][j][i] = u[box][k][j][i];
        }
}
