#include "stencil.h"

/* A u = a α u - b ∇²u, integrated over each cell, on 19 points with β = 1: each second difference
 * is averaged over its four side neighbours with the weights 8/12 and 1/12. */
#define U(a, b, c) u[box][k + (a)][j + (b)][i + (c)]
#define MEAN(u0, u1, u2, u3, u4) ((8 * (u0) + (u1) + (u2) + (u3) + (u4)) * (1.0 / 12))
#define MEAN_I(d) MEAN(U(0, 0, d), U(0, -1, d), U(0, 1, d), U(-1, 0, d), U(1, 0, d))
#define MEAN_J(d) MEAN(U(0, d, 0), U(0, d, -1), U(0, d, 1), U(-1, d, 0), U(1, d, 0))
#define MEAN_K(d) MEAN(U(d, 0, 0), U(d, 0, -1), U(d, 0, 1), U(d, -1, 0), U(d, 1, 0))
GMG_OPERATOR
void laplace19(int boxes, int nk, int nj, int ni, double b,
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
              * (g_i[i + 1] * (MEAN_I(1) - MEAN_I(0)) - g_i[i] * (MEAN_I(0) - MEAN_I(-1)))
            - b * h_k[k] * h_i[i]
              * (g_j[j + 1] * (MEAN_J(1) - MEAN_J(0)) - g_j[j] * (MEAN_J(0) - MEAN_J(-1)))
            - b * h_j[j] * h_i[i]
              * (g_k[k + 1] * (MEAN_K(1) - MEAN_K(0)) - g_k[k] * (MEAN_K(0) - MEAN_K(-1)));
}
