/* accepted: run limiter; conditions on values, as scientists write them. */
#include <math.h>
#define N 48
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static double q[N][N][N], qn[N][N][N], flux;
int upwind = 1;
void advance(int steps, double dt, double eps)
{
  int t, i, j, k;
#pragma mint parallel
  for (t = 0; t < steps; t++) {
#pragma mint for nest(3) tile(16, 16, 1)
    for (k = 1; k < N - 1; k++)
      for (j = 1; j < N - 1; j++)
        for (i = 1; i < N - 1; i++) {
          double a = q[k][j][i + 1] - q[k][j][i], b = q[k][j][i] - q[k][j][i - 1], r;
          if (fabs(a) < eps)
            r = 0.0;
          else
            r = b / a;
          flux = MAX(0.0, MAX(2 * r < 1 ? 2 * r : 1.0, r < 2 ? r : 2.0));
          qn[k][j][i] = q[k][j][i] - dt * flux * b;
          if (!(qn[k][j][i] >= 0))
            qn[k][j][i] = 0;
        }
#pragma mint for nest(3)
    for (k = 1; k < N - 1; k++)
      for (j = 1; j < N - 1; j++)
        for (i = 1; i < N - 1; i++)
          if (qn[k][j][i] > eps)
            q[k][j][i] = qn[k][j][i];
  }
}
