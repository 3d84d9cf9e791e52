#include "stencil.h"

/* The cubics along j and k, on coarse cells of one index along i. */
#define ALONG_J(K, I) \
  (weight_0_j[j] * coarse[box][K][node_0_j[j]][I] + weight_1_j[j] * coarse[box][K][node_1_j[j]][I] \
   + weight_2_j[j] * coarse[box][K][node_2_j[j]][I] \
   + weight_3_j[j] * coarse[box][K][node_3_j[j]][I])
#define ALONG_K(I) \
  (weight_0_k[k] * ALONG_J(node_0_k[k], I) + weight_1_k[k] * ALONG_J(node_1_k[k], I) \
   + weight_2_k[k] * ALONG_J(node_2_k[k], I) + weight_3_k[k] * ALONG_J(node_3_k[k], I))

/* Cubic interpolation of the solution: fine = P coarse, a tensor product. node_0 … node_3 are four
 * coarse cells around a fine one, all on the same side of a wall; weight_0 … weight_3 those of the
 * cubic through their values. */
GMG_KERNEL
void interpolate_cubic(
  int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
  double fine[restrict boxes][nk + 6][nj + 6][ni + 6] CELL(3),
  const double coarse[boxes][mk + 6][mj + 6][mi + 6] COARSE_CELL(3),
  const int node_0_i[ni + 6] AROUND_I(3, 3, 0), const int node_1_i[ni + 6] AROUND_I(3, 3, 1),
  const int node_2_i[ni + 6] AROUND_I(3, 3, 2), const int node_3_i[ni + 6] AROUND_I(3, 3, 3),
  const int node_0_j[nj + 6] TABLE_J(3, 3), const int node_1_j[nj + 6] TABLE_J(3, 3),
  const int node_2_j[nj + 6] TABLE_J(3, 3), const int node_3_j[nj + 6] TABLE_J(3, 3),
  const int node_0_k[nk + 6] TABLE_K(3, 3), const int node_1_k[nk + 6] TABLE_K(3, 3),
  const int node_2_k[nk + 6] TABLE_K(3, 3), const int node_3_k[nk + 6] TABLE_K(3, 3),
  const double weight_0_i[ni + 6] LINE_I(3), const double weight_1_i[ni + 6] LINE_I(3),
  const double weight_2_i[ni + 6] LINE_I(3), const double weight_3_i[ni + 6] LINE_I(3),
  const double weight_0_j[nj + 6] LINE_J(3), const double weight_1_j[nj + 6] LINE_J(3),
  const double weight_2_j[nj + 6] LINE_J(3), const double weight_3_j[nj + 6] LINE_J(3),
  const double weight_0_k[nk + 6] LINE_K(3), const double weight_1_k[nk + 6] LINE_K(3),
  const double weight_2_k[nk + 6] LINE_K(3), const double weight_3_k[nk + 6] LINE_K(3))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 3; k <= nk + 2; k++)
      for (int j = 3; j <= nj + 2; j++)
        for (int i = 3; i <= ni + 2; i++)
          fine[box][k][j][i] = weight_0_i[i] * ALONG_K(node_0_i[i])
            + weight_1_i[i] * ALONG_K(node_1_i[i]) + weight_2_i[i] * ALONG_K(node_2_i[i])
            + weight_3_i[i] * ALONG_K(node_3_i[i]);
}
