/* The heat equation in two dimensions of Mint's paper (Unat, Cai, Baden, "Mint: realizing CUDA
 * performance in 3D stencil methods with annotated C", ICS 2011, table 1), for the times of its
 * figure 8 (../mint_levels.py). usage: heat5 OUTPUT NX NY NZ STEPS */
#include "grid.h"

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int nx = atoi(argv[2]), ny = atoi(argv[3]), steps = atoi(argv[5]);
  const long count = (long)(nx + 2) * (ny + 2);
  double *u = malloc(sizeof *u * count), *v = malloc(sizeof *v * count);
  const double r = 0.2;
  grid_fill(u, count, 1);
  grid_fill(v, count, 2);
#pragma mint copy(u, toDevice, nx + 2, ny + 2)
#pragma mint copy(v, toDevice, nx + 2, ny + 2)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(2) tile(16, 16)
    for (int y = 1; y <= ny; y++)
      for (int x = 1; x <= nx; x++)
        v[y * (nx + 2) + x] = u[y * (nx + 2) + x]
          + r
            * (u[y * (nx + 2) + x + 1] + u[y * (nx + 2) + x - 1] + u[(y + 1) * (nx + 2) + x]
               + u[(y - 1) * (nx + 2) + x] - 4 * u[y * (nx + 2) + x]);
    double *swap = u;
    u = v;
    v = swap;
  }
#pragma mint copy(u, fromDevice, nx + 2, ny + 2)
  grid_save(argv[1], u, count);
  return 0;
}
