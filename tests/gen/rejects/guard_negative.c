#include "stencil.h"

/* A sum that can be negative: C leaves -1 where the colour is meant.
 * reject: '\(i - j\) % 2 == 1' is no colour, as the sum can be negative */
GMG_KERNEL
void guard_negative(int boxes, int nk, int nj, int ni,
                    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          if ((i - j) % 2 == 1) /* here */
            w[box][k][j][i] = u[box][k][j][i];
        }
}
