#include "stencil.h"

/* β on faces normal to i from β on cells: the distance-weighted harmonic mean (h1 + h2) / (h1 / β1
 * + h2 / β2). */
GMG_KERNEL
void face_harmonic_i(int boxes, int nk, int nj, int ni,
                     double beta_i[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double h_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          beta_i[box][k][j][i] = (h_i[i - 1] + h_i[i])
            / (h_i[i - 1] / beta[box][k][j][i - 1] + h_i[i] / beta[box][k][j][i]);
}

/* β on faces normal to i from β on cells: the plain mean. */
GMG_KERNEL
void face_arithmetic_i(int boxes, int nk, int nj, int ni,
                       double beta_i[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                       const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          beta_i[box][k][j][i] = 0.5 * (beta[box][k][j][i - 1] + beta[box][k][j][i]);
}

/* From β on faces normal to i to their conductance: b β x area / distance of the centres, in place.
 */
GMG_KERNEL
void conductance_i(int boxes, int nk, int nj, int ni, double b,
                   double beta_i[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                   const double h_k[nk + 2] LINE_K(1), const double h_j[nj + 2] LINE_J(1),
                   const double g_i[ni + 2] LINE_FACE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          beta_i[box][k][j][i] = b * h_k[k] * h_j[j] * g_i[i] * beta_i[box][k][j][i];
}

/* β on faces normal to j from β on cells: the distance-weighted harmonic mean (h1 + h2) / (h1 / β1
 * + h2 / β2). */
GMG_KERNEL
void face_harmonic_j(int boxes, int nk, int nj, int ni,
                     double beta_j[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double h_j[nj + 2] LINE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          beta_j[box][k][j][i] = (h_j[j - 1] + h_j[j])
            / (h_j[j - 1] / beta[box][k][j - 1][i] + h_j[j] / beta[box][k][j][i]);
}

/* β on faces normal to j from β on cells: the plain mean. */
GMG_KERNEL
void face_arithmetic_j(int boxes, int nk, int nj, int ni,
                       double beta_j[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                       const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          beta_j[box][k][j][i] = 0.5 * (beta[box][k][j - 1][i] + beta[box][k][j][i]);
}

/* From β on faces normal to j to their conductance: b β x area / distance of the centres, in place.
 */
GMG_KERNEL
void conductance_j(int boxes, int nk, int nj, int ni, double b,
                   double beta_j[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                   const double h_k[nk + 2] LINE_K(1), const double h_i[ni + 2] LINE_I(1),
                   const double g_j[nj + 2] LINE_FACE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          beta_j[box][k][j][i] = b * h_k[k] * h_i[i] * g_j[j] * beta_j[box][k][j][i];
}

/* β on faces normal to k from β on cells: the distance-weighted harmonic mean (h1 + h2) / (h1 / β1
 * + h2 / β2). */
GMG_KERNEL
void face_harmonic_k(int boxes, int nk, int nj, int ni,
                     double beta_k[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          beta_k[box][k][j][i] = (h_k[k - 1] + h_k[k])
            / (h_k[k - 1] / beta[box][k - 1][j][i] + h_k[k] / beta[box][k][j][i]);
}

/* β on faces normal to k from β on cells: the plain mean. */
GMG_KERNEL
void face_arithmetic_k(int boxes, int nk, int nj, int ni,
                       double beta_k[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                       const double beta[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          beta_k[box][k][j][i] = 0.5 * (beta[box][k - 1][j][i] + beta[box][k][j][i]);
}

/* From β on faces normal to k to their conductance: b β x area / distance of the centres, in place.
 */
GMG_KERNEL
void conductance_k(int boxes, int nk, int nj, int ni, double b,
                   double beta_k[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                   const double h_j[nj + 2] LINE_J(1), const double h_i[ni + 2] LINE_I(1),
                   const double g_k[nk + 2] LINE_FACE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          beta_k[box][k][j][i] = b * h_j[j] * h_i[i] * g_k[k] * beta_k[box][k][j][i];
}
