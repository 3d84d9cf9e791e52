/* accepted: run gray_scott; two species in one nest, min and max, argument arrays with lengths. */
#include <math.h>
void react(int ny, int nx, double u[ny + 2][nx + 2], double v[ny + 2][nx + 2],
           double un[ny + 2][nx + 2], double vn[ny + 2][nx + 2], double F, double k)
{
  const double Du = 0.16, Dv = 0.08;
#pragma mint parallel
  {
#pragma mint for nest(all) chunksize(1, 1, 1)
    for (int j = 1; j <= ny; j++) {
      for (int i = 1; i <= nx; i++) {
        const double uvv = u[j][i] * v[j][i] * v[j][i];
        un[j][i] = u[j][i]
          + Du * (u[j][i + 1] + u[j][i - 1] + u[j + 1][i] + u[j - 1][i] - 4 * u[j][i]) - uvv
          + F * (1 - u[j][i]);
        vn[j][i] = v[j][i]
          + Dv * (v[j][i + 1] + v[j][i - 1] + v[j + 1][i] + v[j - 1][i] - 4 * v[j][i]) + uvv
          - (F + k) * v[j][i];
        vn[j][i] = fmin(fmax(vn[j][i], 0.0), 1.0);
      }
    }
  }
}
