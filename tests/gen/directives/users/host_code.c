/* accepted: array u; run host_code; input, output and sums of the host around the region. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *a, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

static void usage(const char *name)
{
  fprintf(stderr, "usage: %s N \"#pragma mint for\" /* not a comment\n", name);
  exit(1);
}

int main(int argc, char *argv[])
{
  int n, steps = 100;
  double *u, *v, r = 0.1;
  if (argc < 2)
    usage(argv[0]);
  n = atoi(argv[1]);
  if (argc > 2)
    steps = atoi(argv[2]);
  u = (double *)malloc(sizeof(double) * (n + 2) * (n + 2));
  v = (double *)malloc(sizeof(double) * (n + 2) * (n + 2));
  for (int j = 0; j < n + 2; j++)
    for (int i = 0; i < n + 2; i++)
      u[j * (n + 2) + i] = v[j * (n + 2) + i] = sin(i) * cos(j);
  printf("before: %g\n", sum(u, (n + 2) * (n + 2)));
#pragma mint copy(u, toDevice, n + 2, n + 2)
#pragma mint copy(v, toDevice, n + 2, n + 2)
#pragma mint parallel
  {
    int step = 0;
    while (step < steps) {
#pragma mint for nest(2)
      for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++)
          v[j * (n + 2) + i] = u[j * (n + 2) + i]
            + r
              * (u[j * (n + 2) + i - 1] + u[j * (n + 2) + i + 1] + u[(j - 1) * (n + 2) + i]
                 + u[(j + 1) * (n + 2) + i] - 4 * u[j * (n + 2) + i]);
#pragma mint single
      {
        double *w = u;
        u = v, v = w;
        step++;
      }
    }
  }
#pragma mint copy(u, fromDevice, n + 2, n + 2)
  printf("after: %g\n", sum(u, (n + 2) * (n + 2)));
  free(u);
  free(v);
  return 0;
}
