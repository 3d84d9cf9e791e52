/* Heat with a conductivity that varies, seven points: kappa between two cells is the mean of both,
 * the half being in c; b are sources. */
#include "grid.h"

void diffuse(double ***restrict u, double ***restrict w, double ***kappa, double ***b, int N, int M,
             int L, int T, double c)
{
  /* sizes with walls */
#pragma mint copy(u, toDevice, N, M, L)
#pragma mint copy(w, toDevice, N, M, L)
#pragma mint copy(kappa, toDevice, N, M, L) // conductivity
#pragma mint copy(b, toDevice, N, M, L)
#pragma mint parallel default(shared)
  {
    int t;
    for (t = 1; t <= T; t++) {
#pragma mint for nest(all) tile(16, 16, 1) chunksize(1, 1, 1)
      for (int k = 1; k < L - 1; k++)
        for (int j = 1; j < M - 1; j++)
          for (int i = 1; i < N - 1; i++) {
            const double here = u[k][j][i], kap = kappa[k][j][i];
            w[k][j][i] = here + b[k][j][i]
              + c
                * ((kappa[k][j][i + 1] + kap) * (u[k][j][i + 1] - here)
                   - (kappa[k][j][i - 1] + kap) * (here - u[k][j][i - 1])
                   + (kappa[k][j + 1][i] + kap) * (u[k][j + 1][i] - here)
                   - (kappa[k][j - 1][i] + kap) * (here - u[k][j - 1][i])
                   + (kappa[k + 1][j][i] + kap) * (u[k + 1][j][i] - here)
                   - (kappa[k - 1][j][i] + kap) * (here - u[k - 1][j][i]));
          }
#pragma mint single
      {
        double ***swap;
        swap = w;
        w = u;
        u = swap;
      }
    }
  }
#pragma mint copy(u, fromDevice, N, M, L)
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int N = atoi(argv[2]) + 2, M = atoi(argv[3]) + 2, L = atoi(argv[4]) + 2, T = atoi(argv[5]);
  double ***a[4];
  for (int n = 0; n < 4; n++) {
    a[n] = grid_new(N, M, L);
    grid_fill(a[n][0][0], N * M * L, n + 1);
  }
  diffuse(a[0], a[1], a[2], a[3], N, M, L, T, 0.03);
  for (int n = 0; n < 4; n++)
    grid_save(argv[1], a[T % 2 && n < 2 ? 1 - n : n][0][0], N * M * L);
  return 0;
}
