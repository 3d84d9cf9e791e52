#include "stencil.h"

/* Trilinear interpolation of the correction with the increment: fine += P coarse, a tensor product.
 * parent is the coarse cell that covers a fine one, near the next coarse cell on its side (a wall:
 * its ghost, weight 0), own and other their weights. */
GMG_KERNEL
void interpolate_linear(
  int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
  double fine[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  const double coarse[boxes][mk + 2][mj + 2][mi + 2] COARSE_CELL(1),
  const int parent_i[ni + 2] PARENT_I(1), const int near_i[ni + 2] BESIDE_I(1),
  const int parent_j[nj + 2] TABLE_J(1, 0), const int near_j[nj + 2] TABLE_J(1, 1),
  const int parent_k[nk + 2] TABLE_K(1, 0), const int near_k[nk + 2] TABLE_K(1, 1),
  const double own_i[ni + 2] LINE_I(1), const double other_i[ni + 2] LINE_I(1),
  const double own_j[nj + 2] LINE_J(1), const double other_j[nj + 2] LINE_J(1),
  const double own_k[nk + 2] LINE_K(1), const double other_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          fine[box][k][j][i] += own_i[i]
              * (own_k[k]
                   * (own_j[j] * coarse[box][parent_k[k]][parent_j[j]][parent_i[i]]
                      + other_j[j] * coarse[box][parent_k[k]][near_j[j]][parent_i[i]])
                 + other_k[k]
                   * (own_j[j] * coarse[box][near_k[k]][parent_j[j]][parent_i[i]]
                      + other_j[j] * coarse[box][near_k[k]][near_j[j]][parent_i[i]]))
            + other_i[i]
              * (own_k[k]
                   * (own_j[j] * coarse[box][parent_k[k]][parent_j[j]][near_i[i]]
                      + other_j[j] * coarse[box][parent_k[k]][near_j[j]][near_i[i]])
                 + other_k[k]
                   * (own_j[j] * coarse[box][near_k[k]][parent_j[j]][near_i[i]]
                      + other_j[j] * coarse[box][near_k[k]][near_j[j]][near_i[i]]));
}
