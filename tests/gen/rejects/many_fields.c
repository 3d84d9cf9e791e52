#include "stencil.h"

/* So many coefficients that a kernel derived from the operator exceeds the limit of arrays.
 * reject: which is derived, would have more than 40 arrays */
GMG_OPERATOR
void many_fields /* here */ (int boxes, int nk, int nj, int ni,
                 double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c0[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c1[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c2[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c3[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c4[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c5[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c6[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c7[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c8[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c9[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c10[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c11[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c12[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c13[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c14[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c15[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c16[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c17[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c18[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c19[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c20[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c21[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c22[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c23[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c24[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c25[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c26[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c27[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c28[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c29[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c30[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c31[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c32[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double c33[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = (1 + c0[box][k][j][i] + c1[box][k][j][i] + c2[box][k][j][i] + c3[box][k][j][i]
            + c4[box][k][j][i] + c5[box][k][j][i] + c6[box][k][j][i] + c7[box][k][j][i]
            + c8[box][k][j][i] + c9[box][k][j][i] + c10[box][k][j][i] + c11[box][k][j][i]
            + c12[box][k][j][i] + c13[box][k][j][i] + c14[box][k][j][i] + c15[box][k][j][i]
            + c16[box][k][j][i] + c17[box][k][j][i] + c18[box][k][j][i] + c19[box][k][j][i]
            + c20[box][k][j][i] + c21[box][k][j][i] + c22[box][k][j][i] + c23[box][k][j][i]
            + c24[box][k][j][i] + c25[box][k][j][i] + c26[box][k][j][i] + c27[box][k][j][i]
            + c28[box][k][j][i] + c29[box][k][j][i] + c30[box][k][j][i] + c31[box][k][j][i]
            + c32[box][k][j][i] + c33[box][k][j][i]) * u[box][k][j][i]
            - u[box][k][j][i - 1] - u[box][k][j][i + 1];
}
