/* Aliev and Panfilov's heart tissue as a user of Panda writes it: flattened arrays, all four
 * directives but the reduction; the boundary as in Panda's listing 2, whose misprints (braces, the
 * place of a zero) are mended, and those of the other walls. */
#include "grid.h"

static void swap_pointers(double **p, double **q)
{
  double *r = *p;
  *p = *q;
  *q = r;
}

static void simulate(double *E, double *E_prev, double *R, int n, int steps, double alpha,
                     double dt)
{
  const double kk = 8.0, a = 0.1, b = 0.1, M1 = 0.07, M2 = 0.3, epsilon = 0.01;
  int i, j, k;
  for (i = 0; i < 1; i++)
    R[i] = R[i] + 0; /* host code */
#pragma panda distribute(E, E_prev) size(n + 2, n + 2, n + 2)
#pragma panda distribute(R) size(n + 2, n + 2, n + 2)
  for (int t = 0; t < steps; t++) {
#pragma panda boundary(zmin) size(n, n)
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++) {
        int index = i + j * (n + 2) + 0 * (n + 2) * (n + 2);
        E_prev[index] = E_prev[index + 2 * (n + 2) * (n + 2)];
      }
#pragma panda boundary(zmax) size(n, n)
    for (j = 1; j <= n; j++)
      for (i = 1; i <= n; i++) {
        int index = i + j * (n + 2) + (n + 1) * (n + 2) * (n + 2);
        E_prev[index] = E_prev[index - 2 * (n + 2) * (n + 2)];
      }
#pragma panda boundary(ymin, ymax) size(n, n)
    for (k = 1; k <= n; k++)
      for (i = 1; i <= n; i++) {
        E_prev[i + k * (n + 2) * (n + 2)] = E_prev[i + 2 * (n + 2) + k * (n + 2) * (n + 2)];
        E_prev[i + (n + 1) * (n + 2) + k * (n + 2) * (n + 2)] =
          E_prev[i + (n - 1) * (n + 2) + k * (n + 2) * (n + 2)];
      }
#pragma panda boundary(xmin, xmax) size(n, n)
    for (k = 1; k <= n; k++)
      for (j = 1; j <= n; j++) {
        E_prev[j * (n + 2) + k * (n + 2) * (n + 2)] =
          E_prev[2 + j * (n + 2) + k * (n + 2) * (n + 2)];
        E_prev[n + 1 + j * (n + 2) + k * (n + 2) * (n + 2)] =
          E_prev[n - 1 + j * (n + 2) + k * (n + 2) * (n + 2)];
      }
#pragma panda wait
    for (k = 1; k <= n; k++)
      for (j = 1; j <= n; j++)
        for (i = 1; i <= n; i++) {
          int at = i + (n + 2) * (j + (n + 2) * k);
          E[at] = E_prev[at]
            + alpha
              * (E_prev[at + 1] + E_prev[at - 1] + E_prev[at + n + 2] + E_prev[at - n - 2]
                 + E_prev[at + (n + 2) * (n + 2)] + E_prev[at - (n + 2) * (n + 2)]
                 - 6 * E_prev[at]);
          E[at] -= dt * (kk * E[at] * (E[at] - a) * (E[at] - 1) + E[at] * R[at]);
          R[at] +=
            dt * (epsilon + M1 * R[at] / (E[at] + M2)) * (-R[at] - kk * E[at] * (E[at] - b - 1));
        }
    double *tmp = E;
    E = E_prev;
    E_prev = tmp;
  }
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
  simulate(array[0], array[1], array[2], n, T, 0.0167, 0.0815);
  if (T % 2)
    swap_pointers(&array[0], &array[1]);
  for (int m = 0; m < 3; m++)
    grid_save(argv[1], array[m], count);
  return 0;
}
