/* Heat in three dimensions, explicit Euler, as serial C: any compiler makes a program of it, and
 * Panda's directives make one of gmg's (docs/directives.md):
 *   gmg-gen heat_panda.c --from panda --dump program
 * What stands beyond the walls is held at 0, by the arrays; the middle is warm at first. */
#include <stdio.h>
#include <stdlib.h>

#define AT(x, y, z) ((x) + (n + 2) * ((y) + (n + 2) * (z)))

static void heat(double *u, double *w, int n, int steps)
{
  const double c1 = 0.1; /* kappa dt / dx^2, stable up to 1 / 6 */
  const double c0 = 1 - 6 * c1;

#pragma panda distribute(u, w) size(n + 2, n + 2, n + 2)
  for (int t = 0; t < steps; t++) {
    for (int z = 1; z <= n; z++)
      for (int y = 1; y <= n; y++)
        for (int x = 1; x <= n; x++)
          w[AT(x, y, z)] = c0 * u[AT(x, y, z)]
            + c1
              * (u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] + u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)]
                 + u[AT(x, y, z - 1)] + u[AT(x, y, z + 1)]);
#pragma panda wait
    double *swap = u;
    u = w;
    w = swap;
  }
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 32, steps = 100;
  const size_t count = (size_t)(n + 2) * (size_t)(n + 2) * (size_t)(n + 2);
  double *u = calloc(count, sizeof *u), *w = calloc(count, sizeof *w);
  if (!u || !w)
    return 1;
  u[AT(n / 2, n / 2, n / 2)] = 1;
  heat(u, w, n, steps); /* an even number of steps: the result is in u */
  printf("in the middle after %d steps: %.17g\n", steps, u[AT(n / 2, n / 2, n / 2)]);
  free(u);
  free(w);
  return 0;
}
