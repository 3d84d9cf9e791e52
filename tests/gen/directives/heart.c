/* Aliev and Panfilov's heart tissue in three dimensions, as in heart.stencil: mirrors, diffusion,
 * and both reactions in loops of their own; E and E_prev take turns. */
#include "grid.h"

#define FOR_ALL(k, j, i) \
  for (int k = 1; k <= nz; k++) \
    for (int j = 1; j <= ny; j++) \
      for (int i = 1; i <= nx; i++)

static const double kk = 8.0, a = 0.1, b = 0.1, M1 = 0.07, M2 = 0.3, epsilon = 0.01;

static void simulate(double ***E, double ***E_prev, double ***R, int nx, int ny, int nz, int steps,
                     double alpha, double dt)
{
#pragma mint copy(E, toDevice, (nx + 2), (ny + 2), (nz + 2))
#pragma mint copy(E_prev, toDevice, (nx + 2), (ny + 2), (nz + 2))
#pragma mint copy(R, toDevice, (nx + 2), (ny + 2), (nz + 2))
#pragma mint parallel default(shared)
  {
    for (int t = 0; t < steps; t++) {
#pragma mint for nest(all)
      for (int k = 1; k <= nz; k++)
        for (int j = 1; j <= ny; j++) {
          E_prev[k][j][0] = E_prev[k][j][2];
          E_prev[k][j][nx + 1] = E_prev[k][j][nx - 1];
        }
#pragma mint for nest(all)
      for (int k = 1; k <= nz; k++)
        for (int i = 1; i <= nx; i++) {
          E_prev[k][0][i] = E_prev[k][2][i];
          E_prev[k][ny + 1][i] = E_prev[k][ny - 1][i];
        }
#pragma mint for nest(all)
      for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++) {
          E_prev[0][j][i] = E_prev[2][j][i];
          E_prev[nz + 1][j][i] = E_prev[nz - 1][j][i];
        }
#pragma mint for nest(all) tile(16, 16, 1)
      FOR_ALL(k, j, i)
      E[k][j][i] = E_prev[k][j][i]
        + alpha
          * (E_prev[k][j][i + 1] + E_prev[k][j][i - 1] + E_prev[k][j + 1][i] + E_prev[k][j - 1][i]
             + E_prev[k + 1][j][i] + E_prev[k - 1][j][i] - 6 * E_prev[k][j][i]);
#pragma mint for nest(all) tile(16, 16, 1)
      FOR_ALL(k, j, i)
      {
        E[k][j][i] -=
          dt * (kk * E[k][j][i] * (E[k][j][i] - a) * (E[k][j][i] - 1) + E[k][j][i] * R[k][j][i]);
        R[k][j][i] += dt * (epsilon + M1 * R[k][j][i] / (E[k][j][i] + M2))
          * (-R[k][j][i] - kk * E[k][j][i] * (E[k][j][i] - b - 1));
      }
#pragma mint single
      {
        double ***tmp = E;
        E = E_prev;
        E_prev = tmp;
      }
    }
  }
#pragma mint copy(E_prev, fromDevice, (nx + 2), (ny + 2), (nz + 2))
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int nx = atoi(argv[2]), ny = atoi(argv[3]), nz = atoi(argv[4]), T = atoi(argv[5]);
  const long count = (long)(nx + 2) * (ny + 2) * (nz + 2);
  double ***array[3];
  for (int n = 0; n < 3; n++) {
    array[n] = grid_new(nx + 2, ny + 2, nz + 2);
    grid_fill(array[n][0][0], count, n + 1);
  }
  simulate(array[0], array[1], array[2], nx, ny, nz, T, 0.0167, 0.0815);
  for (int n = 0; n < 3; n++)
    grid_save(argv[1], array[T % 2 && n < 2 ? 1 - n : n][0][0], count);
  return 0;
}
