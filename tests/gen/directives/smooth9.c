/* A filter of nine points on a plate: edges and corners, whose ghosts loops fill: mirrors in x,
 * then values in y, over those of x. */
#include "grid.h"

enum { NX = 11, NY = 8 };
static double u[NY + 2][NX + 2], v[NY + 2][NX + 2];

void smooth(int T)
{
#pragma mint parallel
  {
    for (int t = 0; t < T; t++) {
#pragma mint for
      for (int j = 1; j <= NY; j++) {
        u[j][0] = u[j][1];
        u[j][NX + 1] = 1 - u[j][NX];
      }
#pragma mint for
      for (int i = 0; i <= NX + 1; i++) {
        u[0][i] = 3 - u[1][i];
        u[NY + 1][i] = u[NY][i];
      }
#pragma mint for nest(all)
      for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++)
          v[j][i] = 0.25 * u[j][i] + 0.125 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i])
            + 0.0625 * (u[j - 1][i - 1] + u[j - 1][i + 1] + u[j + 1][i - 1] + u[j + 1][i + 1]);
#pragma mint for nest(all)
      for (int j = 1; j <= NY; j++)
        for (int i = 1; i <= NX; i++)
          u[j][i] = v[j][i];
    }
  }
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  grid_fill(u[0], (NX + 2) * (NY + 2), 1);
  grid_fill(v[0], (NX + 2) * (NY + 2), 2);
  smooth(atoi(argv[5]));
  grid_save(argv[1], u[0], (NX + 2) * (NY + 2));
  grid_save(argv[1], v[0], (NX + 2) * (NY + 2));
  return 0;
}
