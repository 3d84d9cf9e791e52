#include "stencil.h"

/* In-place Gauss-Seidel without colours.
 * reject: iteration \(box 0, k 1, j 1, i [12]\) writes u\[0\]\[1\]\[1\]\[[12]\], which iteration \(box 0, k 1, j 1, i [12]\) reads.*2 colours */
GMG_KERNEL
void uncoloured_gauss_seidel(int boxes, int nk, int nj, int ni,
                             double u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                             const double f[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          u[box][k][j][i] = /* here */
            (f[box][k][j][i] + u[box][k][j][i - 1] + u[box][k][j][i + 1] + u[box][k][j - 1][i]
             + u[box][k][j + 1][i] + u[box][k - 1][j][i] + u[box][k + 1][j][i])
            * (1.0 / 6);
        }
}
