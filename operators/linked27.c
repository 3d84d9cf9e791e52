#include "stencil.h"

/* A u of a coarse level with owners: a symmetric operator on 27 points with stored coefficients.
 * link_n couples a cell with the neighbour after it in the order of places, by the step that is
 * written here; anchor holds what couples it with walls, and a α. */
#define U(dk, dj, di) u[box][k + (dk)][j + (dj)][i + (di)]
#define LINK(link, dk, dj, di) \
  (link[box][k][j][i] * (U(dk, dj, di) - U(0, 0, 0)) \
   + link[box][k - (dk)][j - (dj)][i - (di)] * (U(-(dk), -(dj), -(di)) - U(0, 0, 0)))

GMG_OPERATOR
void linked27(int boxes, int nk, int nj, int ni,
              double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double anchor[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_0[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_1[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_2[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_3[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_4[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_5[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_6[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_7[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_8[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_9[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_10[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_11[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
              const double link_12[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = anchor[box][k][j][i] * U(0, 0, 0)
            - (LINK(link_0, 0, 0, 1) + LINK(link_1, 0, 1, -1) + LINK(link_2, 0, 1, 0)
               + LINK(link_3, 0, 1, 1) + LINK(link_4, 1, -1, -1) + LINK(link_5, 1, -1, 0)
               + LINK(link_6, 1, -1, 1) + LINK(link_7, 1, 0, -1) + LINK(link_8, 1, 0, 0)
               + LINK(link_9, 1, 0, 1) + LINK(link_10, 1, 1, -1) + LINK(link_11, 1, 1, 0)
               + LINK(link_12, 1, 1, 1));
}
