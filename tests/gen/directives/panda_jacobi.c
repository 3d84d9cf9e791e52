/* Jacobi's sweeps until they change little, with sums, a largest and a least value of the cells, as
 * Panda's directives have them. Usage: panda_jacobi FILE n n n T */
#include "grid.h"

#include <math.h>

static int relax(double *u, double *w, const double *f, int n, int most, double tolerance)
{
  const int row = n + 2, plane = row * row;
  int sweeps = 0;
  double change, norm = 0, low, excess;
#pragma panda distribute(u, w, f) size(n + 2, n + 2, n + 2)
  do {
    change = low = excess = 0;
#pragma panda reduction(max : change)
    for (int k = 1; k <= n; k++)
      for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
          const int at = i + row * j + plane * k;
          double around = u[at - 1] + u[at + 1];
          around += u[at - row] + u[at + row];
          around += u[at - plane] + u[at + plane];
          w[at] = (around + f[at]) / 6;
          const double d = fabs(w[at] - u[at]);
          if (d > change) {
            change = d;
          }
        }
    norm = 0;
#pragma panda reduction(+ : norm, excess)
    for (int k = 1; k <= n; k++)
      for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
          const int at = i + row * (j + row * k);
          const double residual = w[at - 1] + w[at + 1] + w[at - row] + w[at + row] + w[at - plane]
            + w[at + plane] - 6 * w[at] + f[at];
          norm = residual * residual + norm;
          low = fmin(w[at], low);
          if (w[at] > 1)
            excess += w[at] - 1;
        }
    double *t = u;
    u = w;
    w = t;
    norm = sqrt(norm);
    sweeps += 1;
    if (sweeps % 3 == 0)
      printf("%d: %.12g %.10g %.12g %.10g\n", sweeps, change, norm, low, excess);
    if (norm < 1e-3 * tolerance)
      break;
  } while (change > tolerance && sweeps < most);
  printf("%d: %.12g %.10g %.12g %.10g\n", sweeps, change, norm, low, excess);
  return sweeps;
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int n = atoi(argv[2]), T = atoi(argv[5]);
  const long count = (long)(n + 2) * (n + 2) * (n + 2);
  double *array[3];
  for (int m = 0; m < 3; m++) {
    array[m] = malloc(sizeof **array * count);
    grid_fill(array[m], count, m + 1);
  }
  for (long c = 0; c < count; c++)
    array[2][c] -= 0.4;
  if (relax(array[0], array[1], array[2], n, 100 * T, 0.012) % 2) {
    double *t = array[0];
    array[0] = array[1];
    array[1] = t;
  }
  for (int m = 0; m < 3; m++)
    grid_save(argv[1], array[m], count);
  return 0;
}
