/* Heat on a plate, five points: two static arrays, the new values copied back by loops of their
 * own; at the walls nothing flows in x, and 1 is held in y. */
#include "grid.h"

enum { NX = 13, NY = 9 };
static double u[NY + 2][NX + 2], v[NY + 2][NX + 2];

void steps(int T)
{
  const double r = 0.2;
  int i, j;
#pragma mint parallel shared
  {
    for (int t = 0; t < T; t++) {
#pragma mint for
      for (j = 1; j <= NY; j++) { /* mirrors */
        u[j][0] = u[j][1];
        u[j][NX + 1] = u[j][NX];
      }
#pragma mint for
      for (i = 0; i < NX + 2; i++) { // and held values
        u[0][i] = 2.0 - u[1][i];
        u[NY + 1][i] = -u[NY][i] + 2;
      }
#pragma mint for nest(2) no - wait
      for (j = 1; j <= NY; j++)
        for (i = 1; i <= NX; i++) {
          double around = u[j][i + 1] + u[j][i - 1];
          around += u[j + 1][i] + u[j - 1][i];
          v[j][i] = u[j][i] + r * (around - 4 * u[j][i]);
        }
#pragma mint barrier
#pragma mint for nest(2)
      for (j = 1; j < NY + 1; j++)
        for (i = 1; i < NX + 1; i++)
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
  steps(atoi(argv[5]));
  grid_save(argv[1], u[0], (NX + 2) * (NY + 2));
  grid_save(argv[1], v[0], (NX + 2) * (NY + 2));
  return 0;
}
