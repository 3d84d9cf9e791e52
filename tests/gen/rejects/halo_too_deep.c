#include "stencil.h"

/* A halo deeper than the ghost zone.
 * reject: halo deeper than the array: 'u\[box\]\[k\]\[j\]\[i \+ 2\]' reaches 1 beyond the end of dimension i of 'u'.*1 deep there; the access needs 2 */
GMG_KERNEL
void halo_too_deep(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k][j][i + 2] - u[box][k][j][i]; /* here */
}
