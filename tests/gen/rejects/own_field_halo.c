#include "stencil.h"

/* A field of the operator's own that says that it has one ghost, and is read two cells away.
 * reject: halo deeper than the array: 'kappa\[box\]\[k\]\[j\]\[i \+ 2\]' reaches 1 beyond .*the access needs 2 */
GMG_OPERATOR
void own_field_halo(int boxes, int nk, int nj, int ni,
        double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
        const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
        const double kappa[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = kappa[box][k][j][i + 2] * u[box][k][j][i] - u[box][k][j][i + 1]; /* here */
}
