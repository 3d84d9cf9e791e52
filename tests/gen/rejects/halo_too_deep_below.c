#include "stencil.h"

/* The same at the lower side of another direction.
 * reject: 'u\[box\]\[k - 3\]\[j\]\[i\]' reaches 2 beyond the start of dimension k of 'u'.*1 deep there; the access needs 3 */
GMG_KERNEL
void halo_too_deep_below(int boxes, int nk, int nj, int ni,
                         double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                         const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[box][k - 3][j][i]; /* here */
}
