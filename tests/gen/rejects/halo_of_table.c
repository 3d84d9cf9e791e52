#include "stencil.h"

/* A table that reaches beyond the ghost zone of the array.
 * reject: 'v\[box\]\[k\]\[j\]\[far_i\[i\]\]' reaches 2 beyond the interior of 'v'.*1 deep */
GMG_KERNEL
void halo_of_table(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double v[boxes][nk + 2][nj + 2][ni + 2] FINE_CELL(1),
                   const int far_i[ni + 2] TABLE_I(1, 2))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = v[box][k][j][far_i[i]]; /* here */
}
