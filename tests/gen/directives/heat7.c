/* Heat in three dimensions, seven points, with two arrays that take turns: as Mint's listing 1, but
 * a whole program: arrays by grid_new, sizes from the command line, known coefficients. */
#include "grid.h"

#define KAPPA 0.5

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  int n = atoi(argv[2]), m = atoi(argv[3]), k = atoi(argv[4]), T = atoi(argv[5]);
  const double dx = 0.1, dt = 0.002;
  double c1 = KAPPA * dt / (dx * dx);
  double c0 = 1 - 6 * c1;
  double ***U = grid_new(n + 2, m + 2, k + 2), ***Unew = grid_new(n + 2, m + 2, k + 2);
  int x, y, z;

  grid_fill(U[0][0], (n + 2) * (m + 2) * (k + 2), 1);
  grid_fill(Unew[0][0], (n + 2) * (m + 2) * (k + 2), 2);
  for (z = 1; z <= k; z++) /* warm in the middle */
    for (y = 1; y <= m; y++)
      for (x = 1; x <= n; x++)
        if (z > k / 3 && y > m / 3)
          U[z][y][x] += 1;

#pragma mint copy(U, toDevice, (n + 2), (m + 2), (k + 2))
#pragma mint copy(Unew, toDevice, (n + 2), (m + 2), (k + 2))
#pragma mint parallel
  {
    int t = 0;
    while (t++ < T) {
#pragma mint for nest(all) tile(16, 16, 64) chunksize(1, 1, 64)
      for (z = 1; z <= k; z++)
        for (y = 1; y <= m; y++)
          for (x = 1; x <= n; x++)
            Unew[z][y][x] = c0 * U[z][y][x]
              + c1
                * (U[z][y][x - 1] + U[z][y][x + 1] + U[z][y - 1][x] + U[z][y + 1][x]
                   + U[z - 1][y][x] + U[z + 1][y][x]);
#pragma mint single
      {
        double ***tmp = U;
        U = Unew;
        Unew = tmp;
      }
    }
  }
#pragma mint copy(U, fromDevice, (n + 2), (m + 2), (k + 2))

  grid_save(argv[1], U[0][0], (n + 2) * (m + 2) * (k + 2));
  grid_save(argv[1], Unew[0][0], (n + 2) * (m + 2) * (k + 2));
  return 0;
}
