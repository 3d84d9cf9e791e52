/* What the test programs of this folder share: arrays, values to begin with, and a file of all. */
#ifndef GRID_H
#define GRID_H

#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double /* or float */
#endif

/* a[z][y][x], in one piece. */
static inline REAL ***grid_new(int nx, int ny, int nz)
{
  REAL *all = malloc(sizeof(REAL) * nx * ny * nz);
  REAL ***a = malloc(sizeof *a * nz);
  for (int z = 0; z < nz; z++) {
    a[z] = malloc(sizeof **a * ny);
    for (int y = 0; y < ny; y++)
      a[z][y] = all + ((long)z * ny + y) * nx;
  }
  return a;
}

/* Values that look arbitrary, between 0 and 1; two seeds give two arrays. */
static inline void grid_fill(REAL *a, long count, unsigned seed)
{
  for (long n = 0; n < count; n++) {
    seed = seed * 1664525u + 1013904223u;
    a[n] = (seed >> 8) / 16777216.0;
  }
}

/* Appends an array to the file that argv[1] of the program names. */
static inline void grid_save(const char *path, const REAL *a, long count)
{
  FILE *file = fopen(path, "ab");
  if (!file || fwrite(a, sizeof *a, count, file) != (size_t)count || fclose(file))
    exit(1);
}

#endif
