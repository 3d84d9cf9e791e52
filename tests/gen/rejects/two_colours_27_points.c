#include "stencil.h"

/* Red and black do not separate the points of a 27-point operator.
 * reject: too few colours.*iteration \(box 0, k 1, j 1, i [0-9]+\) writes u.*which iteration \(box 0, k [12], j [12], i [12]\) reads.*8 colours */
#define ROW(dk, dj) \
  (u[box][k + (dk)][j + (dj)][i - 1] + u[box][k + (dk)][j + (dj)][i] \
   + u[box][k + (dk)][j + (dj)][i + 1])
#define PLANE(dk) (ROW(dk, -1) + ROW(dk, 0) + ROW(dk, 1))
GMG_KERNEL
void two_colours_27_points(int boxes, int nk, int nj, int ni, int colour,
                           double u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                           const double f[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          if ((i + j + k + colour) % 2 == 0)
            u[box][k][j][i] = /* here */
              f[box][k][j][i] - (PLANE(-1) + PLANE(0) + PLANE(1)) * (1.0 / 26);
        }
}
