#include "stencil.h"

/* A u = a α u - b ∇²u, integrated over each cell: second-order finite volumes, seven points, β = 1.
 * The face conductances are products of one-dimensional arrays; only u and alpha fill memory. */
GMG_OPERATOR
void constant7(int boxes, int nk, int nj, int ni, double b,
               double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double alpha[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double h_i[ni + 2] LINE_I(1), const double h_j[nj + 2] LINE_J(1),
               const double h_k[nk + 2] LINE_K(1), const double g_i[ni + 2] LINE_FACE_I(1),
               const double g_j[nj + 2] LINE_FACE_J(1), const double g_k[nk + 2] LINE_FACE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = h_k[k] * h_j[j] * h_i[i] * alpha[box][k][j][i] * u[box][k][j][i]
            - b * h_k[k] * h_j[j]
              * (g_i[i + 1] * (u[box][k][j][i + 1] - u[box][k][j][i])
                 - g_i[i] * (u[box][k][j][i] - u[box][k][j][i - 1]))
            - h_i[i]
              * (b * h_k[k] * g_j[j + 1] * (u[box][k][j + 1][i] - u[box][k][j][i])
                 - b * h_k[k] * g_j[j] * (u[box][k][j][i] - u[box][k][j - 1][i])
                 + b * h_j[j] * g_k[k + 1] * (u[box][k + 1][j][i] - u[box][k][j][i])
                 - b * h_j[j] * g_k[k] * (u[box][k][j][i] - u[box][k - 1][j][i]));
}
