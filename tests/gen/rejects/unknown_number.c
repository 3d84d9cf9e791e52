#include "stencil.h"

/* An operator with a number that the solver does not have.
 * reject: asks for 'speed', which the solver does not have */
GMG_OPERATOR
void unknown_number(int boxes, int nk, int nj, int ni, double speed, /* here */
                    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = speed * (u[box][k][j][i] - u[box][k][j][i + 1]);
}
