#include "stencil.h"

/* A u = a α u - b ∇·(β ∇u), integrated over each cell: second-order finite volumes, seven points.
 * alpha on cells, beta on faces; beta is the conductance of a face (stencil.h). */
GMG_OPERATOR
void variable7(int boxes, int nk, int nj, int ni,
               double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double alpha[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
               const double beta_j[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
               const double beta_k[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
               const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
               const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = h_k[k] * h_j[j] * h_i[i] * alpha[box][k][j][i] * u[box][k][j][i]
            - (beta_i[box][k][j][i + 1] * (u[box][k][j][i + 1] - u[box][k][j][i])
               - beta_i[box][k][j][i] * (u[box][k][j][i] - u[box][k][j][i - 1])
               + beta_j[box][k][j + 1][i] * (u[box][k][j + 1][i] - u[box][k][j][i])
               - beta_j[box][k][j][i] * (u[box][k][j][i] - u[box][k][j - 1][i])
               + beta_k[box][k + 1][j][i] * (u[box][k + 1][j][i] - u[box][k][j][i])
               - beta_k[box][k][j][i] * (u[box][k][j][i] - u[box][k - 1][j][i]));
}
