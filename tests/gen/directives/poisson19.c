/* Jacobi steps for the Poisson equation with nineteen points: c0 (b + c1 (sum of 18 neighbours));
 * two nests a step, there and back. */
#include "grid.h"

#define N 12
#define SUM(u) \
  (u[k - 1][j][i] + u[k + 1][j][i] + u[k][j - 1][i] + u[k][j + 1][i] + u[k][j][i - 1] \
   + u[k][j][i + 1] + u[k - 1][j - 1][i] + u[k - 1][j + 1][i] + u[k + 1][j - 1][i] \
   + u[k + 1][j + 1][i] + u[k - 1][j][i - 1] + u[k - 1][j][i + 1] + u[k + 1][j][i - 1] \
   + u[k + 1][j][i + 1] + u[k][j - 1][i - 1] + u[k][j - 1][i + 1] + u[k][j + 1][i - 1] \
   + u[k][j + 1][i + 1])

typedef double cube[N][N][N];
static cube u, v;
static double b[N][N][N];

static void relax(int times)
{
  double c0, c1 = 0.05;
  c0 = 1.0;
  c0 = c0 / 2 + 0.25;
#pragma mint copy(b, toDevice)
#pragma mint parallel
  {
    int t = 0;
    while (t < times) {
#pragma mint for nest(all)
      for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
          for (int i = 1; i < N - 1; i++)
            v[k][j][i] = c0 * (b[k][j][i] + c1 * SUM(u));
#pragma mint for nest(all)
      for (int i = 1; i < N - 1; i++)
        for (int k = 1; k < N - 1; k++)
          for (int j = 1; j < N - 1; j++)
            u[k][j][i] = c0 * (b[k][j][i] + c1 * SUM(v));
      t += 1;
    }
  }
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  grid_fill(u[0][0], N * N * N, 1);
  grid_fill(v[0][0], N * N * N, 2);
  grid_fill(b[0][0], N * N * N, 3);
  relax(atoi(argv[5]));
  grid_save(argv[1], b[0][0], N * N * N);
  grid_save(argv[1], v[0][0], N * N * N);
  grid_save(argv[1], u[0][0], N * N * N);
  return 0;
}
