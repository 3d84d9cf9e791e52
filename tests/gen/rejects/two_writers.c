#include "stencil.h"

/* All iterations of a row write one element.
 * reject: iteration \(box 0, k 1, j 1, i 1\) writes w\[0\]\[1\]\[1\]\[1\], which iteration \(box 0, k 1, j 1, i 2\) writes, too */
GMG_KERNEL
void two_writers(int boxes, int nk, int nj, int ni,
                 double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                 const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][1] = u[box][k][j][i]; /* here */
}
