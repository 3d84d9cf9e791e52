#include "stencil.h"

/* An argument called as a variable of the emitted function.
 * reject: 'parity' is a name that emitted code has of its own */
GMG_KERNEL
void name_of_emitted_code(int boxes, int nk, int nj, int ni,
                          double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                          const double parity[boxes][nk + 2][nj + 2][ni + 2] CELL(1)) /* here */
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = parity[box][k][j][i];
}
