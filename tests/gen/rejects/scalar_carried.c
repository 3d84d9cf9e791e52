#include "stencil.h"

/* A scalar that carries a value from one iteration to the next.
 * reject: scalar 's' is read before it is written in an iteration */
GMG_KERNEL
void scalar_carried(int boxes, int nk, int nj, int ni,
                    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double s = 1;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          w[box][k][j][i] = s * u[box][k][j][i]; /* here */
          s = u[box][k][j][i];
        }
}
