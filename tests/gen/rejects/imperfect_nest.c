#include "stencil.h"

/* A statement between the loops.
 * reject: imperfect loop nest: 's = 0\.5' stands */
GMG_KERNEL
void imperfect_nest(int boxes, int nk, int nj, int ni,
                    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  double s;
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++) {
        s = 0.5; /* here */
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = s * u[box][k][j][i];
      }
}
