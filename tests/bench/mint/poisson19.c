/* The Poisson equation with 19 points of Mint's paper (Unat, Cai, Baden, "Mint: realizing CUDA
 * performance in 3D stencil methods with annotated C", ICS 2011, table 1), for the times of its
 * figure 8 (../mint_levels.py). usage: poisson19 OUTPUT NX NY NZ STEPS */
#include "grid.h"

int main(int argc, char **argv)
{
  if (argc != 6)
    return 2;
  const int nx = atoi(argv[2]), ny = atoi(argv[3]), nz = atoi(argv[4]), steps = atoi(argv[5]);
  const long count = (long)(nx + 2) * (ny + 2) * (nz + 2);
  double ***u = grid_new(nx + 2, ny + 2, nz + 2), ***v = grid_new(nx + 2, ny + 2, nz + 2);
  double ***b = grid_new(nx + 2, ny + 2, nz + 2);
  const double c0 = 1.0 / 24, h2 = 0.1;
  grid_fill(u[0][0], count, 1);
  grid_fill(v[0][0], count, 2);
  grid_fill(b[0][0], count, 3);
#pragma mint copy(u, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint copy(v, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint copy(b, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint parallel
  for (int t = 0; t < steps; t++) {
#pragma mint for nest(3) tile(16, 16, 1) chunksize(1, 1, 1)
    for (int z = 1; z <= nz; z++)
      for (int y = 1; y <= ny; y++)
        for (int x = 1; x <= nx; x++) {
          double faces = u[z - 1][y][x] + u[z][y - 1][x] + u[z][y][x - 1] + u[z][y][x + 1]
            + u[z][y + 1][x] + u[z + 1][y][x];
          double edges = u[z - 1][y - 1][x] + u[z - 1][y][x - 1] + u[z - 1][y][x + 1]
            + u[z - 1][y + 1][x] + u[z][y - 1][x - 1] + u[z][y - 1][x + 1] + u[z][y + 1][x - 1]
            + u[z][y + 1][x + 1] + u[z + 1][y - 1][x] + u[z + 1][y][x - 1] + u[z + 1][y][x + 1]
            + u[z + 1][y + 1][x];
          v[z][y][x] = c0 * (2 * faces + edges - h2 * b[z][y][x]);
        }
    double ***swap = u;
    u = v;
    v = swap;
  }
#pragma mint copy(u, fromDevice, nx + 2, ny + 2, nz + 2)
  grid_save(argv[1], u[0][0], count);
  return 0;
}
