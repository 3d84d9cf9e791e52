#include "stencil.h"

/* An operator with a line that the solver does not have.
 * reject: asks for 'kappa', which the solver does not have; the solver supplies the fields u, w, alpha, beta_i.* and the number b */
GMG_OPERATOR
void unknown_field(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double kappa[ni + 2] LINE_I(1)) /* here */
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = kappa[i] * u[box][k][j][i] - u[box][k][j][i + 1];
}
