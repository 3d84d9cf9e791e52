#include "stencil.h"

/* A line that is too short for the subscript.
 * reject: 'h_i\[i \+ 1\]' reaches 1 beyond the end of dimension i of 'h_i' */
GMG_KERNEL
void halo_of_line(int boxes, int nk, int nj, int ni,
                  double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                  const double h_i[ni + 1] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = h_i[i + 1]; /* here */
}
