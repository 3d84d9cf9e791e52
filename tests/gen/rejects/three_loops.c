#include "stencil.h"

/* A loop too few.
 * reject: imperfect loop nest: 'w\[box\]\[k\]\[j\]\[1\] = u\[box\]\[k\]\[j\]\[1\]' stands where the loop over 'i' belongs */
GMG_KERNEL
void three_loops(int boxes, int nk, int nj, int ni,
                 double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        w[box][k][j][1] = u[box][k][j][1]; /* here */
}
