#include "stencil.h"

/* A loop variable as a value.
 * reject: 'i' is an integer that is not constant */
GMG_KERNEL
void integer_value(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = 0.5 * i; /* here */
}
