#include "stencil.h"

/* A u = -b ∂²u/∂x², integrated over each cell: three points. */
GMG_OPERATOR
void second_difference(int boxes, int nk, int nj, int ni, double b,
                       double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                       const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1), const double h_j[nj + 2] LINE_J(1),
                       const double h_k[nk + 2] LINE_K(1), const double g_i[ni + 2] LINE_FACE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = b * h_k[k] * h_j[j]
            * (g_i[i] * (u[box][k][j][i] - u[box][k][j][i - 1])
               - g_i[i + 1] * (u[box][k][j][i + 1] - u[box][k][j][i]));
}
