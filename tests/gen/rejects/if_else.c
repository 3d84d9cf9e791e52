#include "stencil.h"

/* A branch with an else.
 * reject: has an else; a colour selects */
GMG_KERNEL
void if_else(int boxes, int nk, int nj, int ni, int colour,
             double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          if ((i + j + k + colour) % 2 == 0) /* here */
            w[box][k][j][i] = u[box][k][j][i];
          else
            w[box][k][j][i] = 0;
        }
}
