#include "stencil.h"

/* A field of the operator's own on faces, read on a face of the next cell.
 * reject: reads 'kappa', a field of its own, on other faces than those of the cell */
GMG_OPERATOR
void own_field_faces(int boxes, int nk, int nj, int ni,
        double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
        const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
        const double kappa[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1)) /* here */
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = kappa[box][k][j + 1][i] * u[box][k][j][i] - u[box][k][j][i + 1];
}
