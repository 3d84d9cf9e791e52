#include "stencil.h"

/* A loop that goes up by 2.
 * reject: 'i \+= 2' is no step of a loop */
GMG_KERNEL
void loop_step(int boxes, int nk, int nj, int ni,
               double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i += 2) /* here */
          w[box][k][j][i] = u[box][k][j][i];
}
