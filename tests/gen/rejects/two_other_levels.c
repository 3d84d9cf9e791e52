#include "stencil.h"

/* Arrays of a finer and of a coarser level.
 * reject: 'coarse' and 'fine' lie on other levels than the loops, and not with the same extents */
GMG_KERNEL
void both(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, int lk, int lj, int li,
          double x[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
          const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
          const double coarse[boxes][lk + 2][lj + 2][li + 2] COARSE_CELL(1), /* here */
          const int lo_i[ni + 2] EVEN_CHILD_I(1), const int lo_j[nj + 2] TABLE_J(1, 0),
          const int lo_k[nk + 2] TABLE_K(1, 0), const int parent_i[ni + 2] PARENT_I(1),
          const int parent_j[nj + 2] TABLE_J(1, 0), const int parent_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          x[box][k][j][i] = fine[box][lo_k[k]][lo_j[j]][lo_i[i]]
            + coarse[box][parent_k[k]][parent_j[j]][parent_i[i]];
}
