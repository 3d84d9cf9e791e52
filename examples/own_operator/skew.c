#include "stencil.h"

/* A u = a α u - b (∇²u + ∂²u/∂x∂y), integrated over each cell: eleven points, on a grid of equal
 * cells. The principal axes of the conductivity lie at 45 degrees to x and y, and its values there
 * are 3/2 and 1/2. */
#define U(a, b, c) u[box][k + (a)][j + (b)][i + (c)]
GMG_OPERATOR
void skew(int boxes, int nk, int nj, int ni, double b,
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
              * (g_i[i + 1] * (U(0, 0, 1) - U(0, 0, 0)) - g_i[i] * (U(0, 0, 0) - U(0, 0, -1)))
            - b * h_k[k] * h_i[i]
              * (g_j[j + 1] * (U(0, 1, 0) - U(0, 0, 0)) - g_j[j] * (U(0, 0, 0) - U(0, -1, 0)))
            - b * h_j[j] * h_i[i]
              * (g_k[k + 1] * (U(1, 0, 0) - U(0, 0, 0)) - g_k[k] * (U(0, 0, 0) - U(-1, 0, 0)))
            - 0.25 * b * h_k[k] * ((U(0, 1, 1) - U(0, 1, -1)) - (U(0, -1, 1) - U(0, -1, -1)));
}
