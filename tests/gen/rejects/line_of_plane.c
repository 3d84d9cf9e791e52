#include "stencil.h"

/* A line with two dimensions.
 * reject: array 'h_i' has 2 dimensions; with the note 'line_i 1' it has 1 */
GMG_KERNEL
void line_of_plane(int boxes, int nk, int nj, int ni,
                   double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double h_i[nj + 2][ni + 2] LINE_I(1) /* here */)
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = h_i[j][i];
}
