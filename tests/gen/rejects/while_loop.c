#include "stencil.h"

/* A loop that is no for loop.
 * reject: 'while \(s > 1\).*' is a while loop */
GMG_KERNEL
void while_loop(int boxes, int nk, int nj, int ni,
                double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double s = u[box][k][j][i];
          while (s > 1) /* here */
            s = s * 0.5;
          w[box][k][j][i] = s;
        }
}
