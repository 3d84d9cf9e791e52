#include "stencil.h"

/* A u = a α u - b ∇²u, integrated over each cell, on 27 points with β = 1: the second difference in
 * each direction is averaged over the two others with the weights (1, 10, 1) / 12, which takes out
 * the error terms that couple two directions (Mehrstellen form). */
#define U(dk, dj, di) u[box][k + (dk)][j + (dj)][i + (di)]
#define MEAN(low, centre, high) ((low + 10 * (centre) + high) * (1.0 / 12))
#define MEAN_I(dk, dj) MEAN(U(dk, dj, -1), U(dk, dj, 0), U(dk, dj, 1))
#define MEAN_J(dk, di) MEAN(U(dk, -1, di), U(dk, 0, di), U(dk, 1, di))

GMG_OPERATOR
void constant27(int boxes, int nk, int nj, int ni, double b,
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
        for (int i = 1; i <= ni; i++) {
          double west = MEAN(MEAN_J(-1, -1), MEAN_J(0, -1), MEAN_J(1, -1));
          double middle_i = MEAN(MEAN_J(-1, 0), MEAN_J(0, 0), MEAN_J(1, 0));
          double east = MEAN(MEAN_J(-1, 1), MEAN_J(0, 1), MEAN_J(1, 1));
          double south = MEAN(MEAN_I(-1, -1), MEAN_I(0, -1), MEAN_I(1, -1));
          double middle_j = MEAN(MEAN_I(-1, 0), MEAN_I(0, 0), MEAN_I(1, 0));
          double north = MEAN(MEAN_I(-1, 1), MEAN_I(0, 1), MEAN_I(1, 1));
          double bottom = MEAN(MEAN_I(-1, -1), MEAN_I(-1, 0), MEAN_I(-1, 1));
          double middle_k = MEAN(MEAN_I(0, -1), MEAN_I(0, 0), MEAN_I(0, 1));
          double top = MEAN(MEAN_I(1, -1), MEAN_I(1, 0), MEAN_I(1, 1));
          w[box][k][j][i] = h_k[k] * h_j[j] * h_i[i] * alpha[box][k][j][i] * u[box][k][j][i]
            - b * h_k[k] * h_j[j] * (g_i[i + 1] * (east - middle_i) - g_i[i] * (middle_i - west))
            - b * h_k[k] * h_i[i] * (g_j[j + 1] * (north - middle_j) - g_j[j] * (middle_j - south))
            - b * h_j[j] * h_i[i] * (g_k[k + 1] * (top - middle_k) - g_k[k] * (middle_k - bottom));
        }
}
