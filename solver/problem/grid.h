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
    uint64_t mark; /* a hash of them, likewise */
  } side[6];
  int part_lower[3], part_upper[3];
};

/* Memory: gives the copy. NULL: out of memory. */
gmg_grid *gmg_grid_copy(const gmg_grid *grid);
/* The finest level's axis along direction d. Memory: gives width. Returns -1 out of memory. */
int gmg_grid_axis(const gmg_grid *grid, int d, struct gmg_axis *axis);
/* What only the whole grid shows: periodic in pairs, Robin not supported. */
gmg_status gmg_grid_check(const gmg_grid *grid);
static inline enum gmg_place gmg_face(int axis)
{
  return (enum gmg_place)((int)GMG_FACE_I + axis);
}
extern const char *const gmg_side_names[6];
/* Whether this rank has cells; from its first to its last value with these strides, in doubles. */
int gmg_grid_has_part(const gmg_grid *grid);
size_t gmg_grid_span(const gmg_grid *grid, const ptrdiff_t stride[3]);
/* How many faces a side has; its tangential axes, first and second. */
size_t gmg_grid_side_faces(const gmg_grid *grid, int side);
void gmg_side_axes(int side, int *first, int *second);
/* Whether a side adds anything to the right side: it is not periodic, and its values are not 0. Or
 * whether any does. */
int gmg_grid_side_has_values(const gmg_grid *grid, int side);
int gmg_grid_has_values(const gmg_grid *grid);
/* Value of a side at face (p, q), counted along its tangential axes. */
double gmg_grid_side_value(const gmg_grid *grid, int side, int p, int q);

#endif
