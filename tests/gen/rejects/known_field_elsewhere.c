#include "stencil.h"

/* An operator with a coefficient on faces, declared on cells.
 * reject: the solver has 'beta_i' as FACE_I */
GMG_OPERATOR
void known_field_elsewhere(int boxes, int nk, int nj, int ni,
                           double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                           const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                           const double beta_i[boxes][nk + 2][nj + 2][ni + 2] CELL(1)) /* here */
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = beta_i[box][k][j][i] * (u[box][k][j][i] - u[box][k][j][i + 1]);
}
