#include "stencil.h"

/* A u = a α u - b ∇·(κ ∇u), integrated over each cell, with κ on faces: variable7's stencil from
 * coefficients of the operator's own. */
#define U(c, d, e) u[box][k + (c)][j + (d)][i + (e)]
GMG_OPERATOR
void faces(int boxes, int nk, int nj, int ni, double b,
           double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
           const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
           const double alpha[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
           const double kappa_x[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
           const double kappa_y[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
           const double kappa_z[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
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
              * (kappa_x[box][k][j][i + 1] * g_i[i + 1] * (U(0, 0, 1) - U(0, 0, 0))
                 - kappa_x[box][k][j][i] * g_i[i] * (U(0, 0, 0) - U(0, 0, -1)))
            - b * h_k[k] * h_i[i]
              * (kappa_y[box][k][j + 1][i] * g_j[j + 1] * (U(0, 1, 0) - U(0, 0, 0))
                 - kappa_y[box][k][j][i] * g_j[j] * (U(0, 0, 0) - U(0, -1, 0)))
            - b * h_j[j] * h_i[i]
              * (kappa_z[box][k + 1][j][i] * g_k[k + 1] * (U(1, 0, 0) - U(0, 0, 0))
                 - kappa_z[box][k][j][i] * g_k[k] * (U(0, 0, 0) - U(-1, 0, 0)));
}
