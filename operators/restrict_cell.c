#include "stencil.h"

/* Cell-average restriction: each coarse cell takes the weighted sum of the one or two fine cells it
 * covers per direction. lo and hi are those cells (equal where there is one), low and high their
 * weights (high 0 where there is one). Weights of 1 sum integrated residuals; width fractions
 * average densities. */
GMG_KERNEL
void restrict_cell(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                   double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                   const int lo_i[ni + 2] EVEN_CHILD_I(1), const int hi_i[ni + 2] ODD_CHILD_I(1),
                   const int lo_j[nj + 2] TABLE_J(1, 0), const int hi_j[nj + 2] TABLE_J(1, 0),
                   const int lo_k[nk + 2] TABLE_K(1, 0), const int hi_k[nk + 2] TABLE_K(1, 0),
                   const double low_i[ni + 2] LINE_I(1), const double high_i[ni + 2] LINE_I(1),
                   const double low_j[nj + 2] LINE_J(1), const double high_j[nj + 2] LINE_J(1),
                   const double low_k[nk + 2] LINE_K(1), const double high_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = low_i[i]
              * (low_k[k]
                   * (low_j[j] * fine[box][lo_k[k]][lo_j[j]][lo_i[i]]
                      + high_j[j] * fine[box][lo_k[k]][hi_j[j]][lo_i[i]])
                 + high_k[k]
                   * (low_j[j] * fine[box][hi_k[k]][lo_j[j]][lo_i[i]]
                      + high_j[j] * fine[box][hi_k[k]][hi_j[j]][lo_i[i]]))
            + high_i[i]
              * (low_k[k]
                   * (low_j[j] * fine[box][lo_k[k]][lo_j[j]][hi_i[i]]
                      + high_j[j] * fine[box][lo_k[k]][hi_j[j]][hi_i[i]])
                 + high_k[k]
                   * (low_j[j] * fine[box][hi_k[k]][lo_j[j]][hi_i[i]]
                      + high_j[j] * fine[box][hi_k[k]][hi_j[j]][hi_i[i]]));
}
