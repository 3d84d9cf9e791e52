#include "stencil.h"

/* A table times a number is not affine.
 * reject: subscript '2 \* lo_i\[i\]' of 'v' is not affine */
GMG_KERNEL
void subscript_product_of_table(int boxes, int nk, int nj, int ni,
                                double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                                const double v[boxes][nk + 2][nj + 2][ni + 2] FINE_CELL(1),
                                const int lo_i[ni + 2] TABLE_I(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = v[box][k][j][2 * lo_i[i]]; /* here */
}
