/* The front of front.c in single precision: all that C computes is float. */
#define REAL float
#include "grid.h"
#include <math.h>

static float least_slope(float a, float b)
{
  return a * b <= 0 ? 0.0f : fabsf(a) < fabsf(b) ? a : b;
}

void move(float ***restrict u, float ***restrict w, float ***restrict s, int N, int M, int L, int T,
          float c)
{
#pragma mint copy(u, toDevice, N, M, L)
#pragma mint copy(w, toDevice, N, M, L)
#pragma mint copy(s, toDevice, N, M, L)
#pragma mint parallel default(shared)
  {
    const int melts = 1;
    float slope, rate;
    for (int t = 0; t < T; t++) {
#pragma mint for nest(all) tile(16, 16, 1)
      for (int k = 1; k < L - 1; k++)
        for (int j = 1; j < M - 1; j++)
          for (int i = 1; i < N - 1; i++) {
            const float here = u[k][j][i];
            slope = least_slope(here - u[k][j][i - 1], u[k][j][i + 1] - here)
              + least_slope(here - u[k][j - 1][i], u[k][j + 1][i] - here);
            if (slope > 0)
              slope *= 1.5f;
            if ((here > 0.3f && s[k][j][i] >= 0.5f) || !(here < 0.9f)) {
              const float part = c * slope;
              rate = part;
              if (part < -0.05f)
                s[k][j][i] -= 0.125f;
            } else if (here == 0) {
              rate = -0.01f;
            } else {
              rate = (u[k + 1][j][i] + u[k - 1][j][i] - 2 * here) * (s[k][j][i] != 0) * c;
              s[k][j][i] = s[k][j][i] + 0.25f;
            }
            w[k][j][i] = melts ? here + rate : here;
            if (w[k][j][i] > 0.8f)
              w[k][j][i] -= 0.15f;
          }
#pragma mint single
      {
        float ***swap = u;
        u = w;
        w = swap;
      }
    }
  }
#pragma mint copy(u, fromDevice, N, M, L)
#pragma mint copy(s, fromDevice, N, M, L)
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int N = atoi(argv[2]) + 2, M = atoi(argv[3]) + 2, L = atoi(argv[4]) + 2, T = atoi(argv[5]);
  float ***a[3];
  for (int n = 0; n < 3; n++) {
    a[n] = grid_new(N, M, L);
    grid_fill(a[n][0][0], N * M * L, n + 1);
  }
  move(a[0], a[1], a[2], N, M, L, T, 0.3f);
  for (int n = 0; n < 3; n++)
    grid_save(argv[1], a[T % 2 && n < 2 ? 1 - n : n][0][0], N * M * L);
  return 0;
}
