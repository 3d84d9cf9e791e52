#include "stencil.h"

/* A pointer, whose length nothing tells.
 * reject: 'u' is a 'const double \*' */
GMG_KERNEL
void plain_pointer(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double *u CELL(1) /* here */)
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = u[i];
}
