#include "stencil.h"

/* -b β ∂u/∂n on faces normal to i, n along i, from their conductances beta_i and the areas of the
 * faces. s is -1. At walls the part that is linear in u. */
GMG_KERNEL
void flux_variable_i(int boxes, int nk, int nj, int ni, double s,
                     double flux_i[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double h_k[nk + 2] LINE_K(1), const double h_j[nj + 2] LINE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          flux_i[box][k][j][i] =
            beta_i[box][k][j][i] * (u[box][k][j][i - 1] + s * u[box][k][j][i]) / (h_k[k] * h_j[j]);
}

/* -b β ∂u/∂n on faces normal to j, n along j, from their conductances beta_j and the areas of the
 * faces. s is -1. At walls the part that is linear in u. */
GMG_KERNEL
void flux_variable_j(int boxes, int nk, int nj, int ni, double s,
                     double flux_j[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double beta_j[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double h_k[nk + 2] LINE_K(1), const double h_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          flux_j[box][k][j][i] =
            beta_j[box][k][j][i] * (u[box][k][j - 1][i] + s * u[box][k][j][i]) / (h_k[k] * h_i[i]);
}

/* -b β ∂u/∂n on faces normal to k, n along k, from their conductances beta_k and the areas of the
 * faces. s is -1. At walls the part that is linear in u. */
GMG_KERNEL
void flux_variable_k(int boxes, int nk, int nj, int ni, double s,
                     double flux_k[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double beta_k[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double h_j[nj + 2] LINE_J(1), const double h_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          flux_k[box][k][j][i] =
            beta_k[box][k][j][i] * (u[box][k - 1][j][i] + s * u[box][k][j][i]) / (h_j[j] * h_i[i]);
}

/* The same where β is 1. g_i is 1 / distance of the centres. */
GMG_KERNEL
void flux_constant_i(int boxes, int nk, int nj, int ni, double s, double b,
                     double flux_i[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double g_i[ni + 2] LINE_FACE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          flux_i[box][k][j][i] = b * g_i[i] * (u[box][k][j][i - 1] + s * u[box][k][j][i]);
}

/* The same where β is 1. g_j is 1 / distance of the centres. */
GMG_KERNEL
void flux_constant_j(int boxes, int nk, int nj, int ni, double s, double b,
                     double flux_j[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double g_j[nj + 2] LINE_FACE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          flux_j[box][k][j][i] = b * g_j[j] * (u[box][k][j - 1][i] + s * u[box][k][j][i]);
}

/* The same where β is 1. g_k is 1 / distance of the centres. */
GMG_KERNEL
void flux_constant_k(int boxes, int nk, int nj, int ni, double s, double b,
                     double flux_k[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double g_k[nk + 2] LINE_FACE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          flux_k[box][k][j][i] = b * g_k[k] * (u[box][k - 1][j][i] + s * u[box][k][j][i]);
}
