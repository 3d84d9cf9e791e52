#include "stencil.h"

/* A table as subscript of an array that is written.
 * reject: table 'next_i' serves as a subscript of 'u'.*which the kernel writes */
GMG_KERNEL
void table_on_written(int boxes, int nk, int nj, int ni,
                      double u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                      const int next_i[ni + 2] TABLE_I(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          u[box][k][j][i] = u[box][k][j][next_i[i]]; /* here */
}
