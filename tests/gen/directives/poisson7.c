/* Jacobi steps for the Poisson equation with seven points, in flattened arrays, as many write them:
 * u_new = c0 b + c1 (sum of six neighbours); the time loop stands around the region. */
#include "grid.h"

#define IDX(x, y, z) ((x) + (nx + 2) * ((y) + (ny + 2) * (z)))

static void jacobi(double *u, double *u_new, const double *b, int nx, int ny, int nz, int steps)
{
  static const double c0 = -0.01, c1 = 1.0 / 6;
#pragma mint copy(u, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint copy(u_new, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint copy(b, toDevice, nx + 2, ny + 2, nz + 2)
  for (int step = 0; step < steps; ++step) {
#pragma mint parallel
    {
#pragma mint for nest(3)
      for (int z = 1; z < nz + 1; z++)
        for (int y = 1; y < ny + 1; y++) {
          int row = (y + z * (ny + 2)) * (nx + 2);
          for (int x = 1; x < nx + 1; x++) {
            int at = row + x;
            u_new[at] = c0 * b[at]
              + c1
                * (u[at - 1] + u[at + 1] + u[at - (nx + 2)] + u[at + nx + 2] + u[IDX(x, y, z - 1)]
                   + u[IDX(x, y, z + 1)]);
          }
        }
    }
    double *old = u;
    u = u_new;
    u_new = old;
  }
#pragma mint copy(u, fromDevice, nx + 2, ny + 2, nz + 2)
}

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int nx = atoi(argv[2]), ny = atoi(argv[3]), nz = atoi(argv[4]), steps = atoi(argv[5]);
  const long count = (long)(nx + 2) * (ny + 2) * (nz + 2);
  double *u = malloc(sizeof *u * count), *u_new = malloc(sizeof *u * count),
         *b = malloc(sizeof *u * count);
  grid_fill(u, count, 1);
  grid_fill(u_new, count, 2);
  grid_fill(b, count, 3);
  jacobi(u, u_new, b, nx, ny, nz, steps);
  grid_save(argv[1], steps % 2 ? u_new : u, count);
  grid_save(argv[1], steps % 2 ? u : u_new, count);
  grid_save(argv[1], b, count);
  return 0;
}
