#include "stencil.h"

/* A line that is written.
 * reject: 'h_i\[i\]' is written, but has one dimension */
GMG_KERNEL
void line_written(int boxes, int nk, int nj, int ni, double h_i[restrict ni + 2] LINE_I(1),
                  const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          h_i[i] = u[box][k][j][i]; /* here */
}
