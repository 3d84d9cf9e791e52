/* The grid: cells, spacing, sides and their values, and which part of it each rank hands over. */
#ifndef GMG_GRID_H
#define GMG_GRID_H

#include "mesh/axis.h"
#include "runtime/context.h"

struct gmg_grid {
  gmg_context *context;
  int cells[3];
  double lower[3], upper[3];
  double *faces[3]; /* NULL: uniform */
  /* a hash of them, 0 where there are none, by which ranks are compared (same.h) */
  uint64_t faces_mark[3];
  struct gmg_grid_side {
    gmg_boundary kind;
    double c0, c1, value;
    /* per face of the side, first tangential axis fastest; NULL: value everywhere */
    double *values;
    uint64_t mark; /* a hash of values, likewise */
  } side[6];
  int part_lower[3], part_upper[3];
};

/* Memory: gives the copy. NULL: out of memory. */
gmg_grid *gmg_grid_copy(const gmg_grid *grid);
/* The finest level's axis along direction d. Memory: gives width. Returns -1 out of memory. */
int gmg_grid_axis(const gmg_grid *grid, int d, struct gmg_axis *axis);
/* What only the whole grid shows: periodic in pairs, Robin not supported. */
gmg_status gmg_grid_check(const gmg_grid *grid);
/* The tangential axes of a side, first and second. */
void gmg_side_axes(int side, int *first, int *second);
/* Whether a side adds anything to the right side: it is not periodic, and its values are not 0. */
int gmg_grid_side_has_values(const struct gmg_grid_side *side);
/* Value of a side at face (p, q), counted along its tangential axes. */
double gmg_grid_side_value(const gmg_grid *grid, int side, int p, int q);

#endif
