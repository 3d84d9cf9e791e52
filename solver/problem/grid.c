#include "grid.h"

#include "system/memory.h"
#include "hash.h"

#include <math.h>
#include <string.h>

static const char axis_letter[3] = {'x', 'y', 'z'};
const char *const gmg_side_names[6] = {"x_lo", "x_hi", "y_lo", "y_hi", "z_lo", "z_hi"};

enum { MOST_CELLS = 1 << 30 };

gmg_status gmg_grid_create(gmg_context *context, const int cells[3], const double lower[3],
                           const double upper[3], gmg_grid **grid)
{
  if (!context)
    return GMG_ERR_ARGUMENT;
  if (!cells || !lower || !upper || !grid)
    return gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_grid_create: an argument is NULL");
  *grid = NULL;
  for (int d = 0; d < 3; d++) {
    if (cells[d] < 1 || cells[d] > MOST_CELLS)
      return gmg_fail(context, GMG_ERR_ARGUMENT, "cells in %c: %d, expected 1 to %d",
                      axis_letter[d], cells[d], MOST_CELLS);
    if (!isfinite(lower[d]) || !isfinite(upper[d]) || !(upper[d] > lower[d]))
      return gmg_fail(context, GMG_ERR_ARGUMENT,
                      "in %c the grid goes from %g to %g: expected lower < upper, finite",
                      axis_letter[d], lower[d], upper[d]);
  }
  gmg_grid *g = gmg_calloc(1, sizeof *g);
  if (!g)
    return gmg_no_memory(context, "for a grid");
  g->context = context;
  memcpy(g->cells, cells, sizeof g->cells);
  memcpy(g->part_upper, cells, sizeof g->cells);
  memcpy(g->lower, lower, sizeof g->lower);
  memcpy(g->upper, upper, sizeof g->upper);
  for (int s = 0; s < 6; s++)
    g->side[s] = (struct gmg_grid_side){.kind = GMG_DIRICHLET, .c0 = 1};
  const int64_t rank = context->comm.rank, ranks = context->comm.ranks;
  g->part_lower[2] = (int)(rank * cells[2] / ranks);
  g->part_upper[2] = (int)((rank + 1) * cells[2] / ranks);
  *grid = g;
  return GMG_OK;
}

void gmg_grid_destroy(gmg_grid **grid)
{
  if (!grid || !*grid)
    return;
  for (int d = 0; d < 3; d++)
    gmg_free((*grid)->faces[d]);
  for (int s = 0; s < 6; s++)
    gmg_free((*grid)->side[s].values);
  gmg_free(*grid);
  *grid = NULL;
}

int gmg_grid_has_part(const gmg_grid *grid)
{
  int has = 1;
  for (int d = 0; d < 3; d++)
    has = has && grid->part_upper[d] > grid->part_lower[d];
  return has;
}

size_t gmg_grid_span(const gmg_grid *grid, const ptrdiff_t stride[3])
{
  size_t last = 0;
  for (int d = 0; d < 3; d++)
    last += (size_t)(grid->part_upper[d] - grid->part_lower[d] - 1) * (size_t)stride[d];
  return gmg_grid_has_part(grid) ? last + 1 : 0;
}

void gmg_side_axes(int side, int *first, int *second)
{
  *first = side / 2 == 0 ? 1 : 0;
  *second = side / 2 == 2 ? 1 : 2;
}

size_t gmg_grid_side_faces(const gmg_grid *grid, int side)
{
  int first, second;
  gmg_side_axes(side, &first, &second);
  return (size_t)grid->cells[first] * (size_t)grid->cells[second];
}

static double *duplicate(const double *values, size_t count)
{
  double *copy = gmg_malloc(count * sizeof *copy);
  if (copy)
    memcpy(copy, values, count * sizeof *copy);
  return copy;
}

gmg_grid *gmg_grid_copy(const gmg_grid *grid)
{
  gmg_grid *copy = gmg_malloc(sizeof *copy);
  if (!copy)
    return NULL;
  *copy = *grid;
  int failed = 0;
  for (int d = 0; d < 3; d++)
    if (grid->faces[d])
      failed |= !(copy->faces[d] = duplicate(grid->faces[d], (size_t)grid->cells[d] + 1));
  for (int s = 0; s < 6; s++)
    if (grid->side[s].values)
      failed |=
        !(copy->side[s].values = duplicate(grid->side[s].values, gmg_grid_side_faces(grid, s)));
  if (failed)
    gmg_grid_destroy(&copy);
  return copy;
}

gmg_status gmg_grid_set_faces(gmg_grid *grid, int axis, const double *faces)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  if (axis < 0 || axis > 2 || !faces)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "gmg_grid_set_faces: expected axis 0, 1 or 2, and faces");
  const int n = grid->cells[axis];
  const double extent = grid->upper[axis] - grid->lower[axis];
  for (int i = 0; i <= n; i++) {
    if (!isfinite(faces[i]) || (i > 0 && !(faces[i] > faces[i - 1])))
      return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                      "face %d in %c is at %g: expected increasing, finite coordinates", i,
                      axis_letter[axis], faces[i]);
  }
  if (fabs(faces[0] - grid->lower[axis]) > 1e-9 * extent
      || fabs(faces[n] - grid->upper[axis]) > 1e-9 * extent)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "faces in %c go from %g to %g, but the grid from %g to %g", axis_letter[axis],
                    faces[0], faces[n], grid->lower[axis], grid->upper[axis]);
  double *copy = duplicate(faces, (size_t)n + 1);
  if (!copy)
    return gmg_no_memory(grid->context, "for face coordinates");
  gmg_free(grid->faces[axis]);
  grid->faces[axis] = copy;
  grid->faces_mark[axis] = gmg_hash(0, copy, ((size_t)n + 1) * sizeof *copy);
  return GMG_OK;
}

void gmg_grid_part(const gmg_grid *grid, int lower[3], int upper[3])
{
  memcpy(lower, grid->part_lower, sizeof grid->part_lower);
  memcpy(upper, grid->part_upper, sizeof grid->part_upper);
}

gmg_status gmg_grid_set_part(gmg_grid *grid, const int lower[3], const int upper[3])
{
  if (!grid || !lower || !upper)
    return GMG_ERR_ARGUMENT;
  for (int d = 0; d < 3; d++)
    if (lower[d] < 0 || upper[d] < lower[d] || upper[d] > grid->cells[d])
      return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                      "a part has cells [%d, %d) in %c: expected a range within [0, %d)", lower[d],
                      upper[d], axis_letter[d], grid->cells[d]);
  memcpy(grid->part_lower, lower, sizeof grid->part_lower);
  memcpy(grid->part_upper, upper, sizeof grid->part_upper);
  return GMG_OK;
}

gmg_status gmg_grid_set_boundary(gmg_grid *grid, gmg_side side, gmg_boundary kind, double c0,
                                 double c1, double value)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  if ((int)side < 0 || (int)side > 5)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "gmg_grid_set_boundary: side %d: expected GMG_X_LO (0) to GMG_Z_HI (5)",
                    (int)side);
  if ((int)kind < GMG_DIRICHLET || (int)kind > GMG_PERIODIC)
    return gmg_fail(
      grid->context, GMG_ERR_ARGUMENT,
      "gmg_grid_set_boundary: %s: kind %d: expected GMG_DIRICHLET (0) to GMG_PERIODIC (3)",
      gmg_side_names[side], (int)kind);
  if (!isfinite(value))
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT, "%s: the boundary value is not finite",
                    gmg_side_names[side]);
  const int signs_differ =
    (c0 < 0 && c1 > 0) || (c0 > 0 && c1 < 0); /* their product may underflow */
  if (kind == GMG_ROBIN && (!isfinite(c0) || !isfinite(c1) || signs_differ || (c0 == 0 && c1 == 0)))
    return gmg_fail(
      grid->context, GMG_ERR_ARGUMENT,
      "%s: Robin coefficients c0 = %g, c1 = %g: expected finite, of one sign, not both 0",
      gmg_side_names[side], c0, c1);
  struct gmg_grid_side *s = &grid->side[side];
  s->kind = kind;
  s->value = value;
  s->c0 = kind == GMG_ROBIN ? c0 : kind == GMG_DIRICHLET;
  s->c1 = kind == GMG_ROBIN ? c1 : kind == GMG_NEUMANN;
  gmg_free(s->values);
  s->values = NULL;
  s->mark = 0;
  return GMG_OK;
}

gmg_status gmg_grid_set_boundary_values(gmg_grid *grid, gmg_side side, const double *values)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  if ((int)side < 0 || (int)side > 5 || !values)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "gmg_grid_set_boundary_values: side %d, values %s: expected GMG_X_LO (0) to "
                    "GMG_Z_HI (5), and values",
                    (int)side, values ? "given" : "NULL");
  const size_t count = gmg_grid_side_faces(grid, (int)side);
  for (size_t n = 0; n < count; n++)
    if (!isfinite(values[n]))
      return gmg_fail(grid->context, GMG_ERR_ARGUMENT, "%s: boundary value %zu is not finite",
                      gmg_side_names[side], n);
  double *copy = duplicate(values, count);
  if (!copy)
    return gmg_no_memory(grid->context, "for the boundary values of %s", gmg_side_names[side]);
  gmg_free(grid->side[side].values);
  grid->side[side].values = copy;
  grid->side[side].mark = gmg_hash(0, copy, count * sizeof *copy);
  return GMG_OK;
}

gmg_status gmg_grid_check(const gmg_grid *grid)
{
  for (int lo = 0, hi = 1; lo < 6; lo += 2, hi += 2)
    if ((grid->side[lo].kind == GMG_PERIODIC) != (grid->side[hi].kind == GMG_PERIODIC))
      return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                      "%s and %s: periodic on both sides of an axis or on neither",
                      gmg_side_names[lo], gmg_side_names[hi]);
  return GMG_OK;
}

int gmg_grid_side_has_values(const gmg_grid *grid, int side)
{
  const struct gmg_grid_side *s = &grid->side[side];
  return s->kind != GMG_PERIODIC && (s->values || s->value != 0);
}

int gmg_grid_has_values(const gmg_grid *grid)
{
  int any = 0;
  for (int side = 0; side < 6; side++)
    any |= gmg_grid_side_has_values(grid, side);
  return any;
}

double gmg_grid_side_value(const gmg_grid *grid, int side, int p, int q)
{
  const struct gmg_grid_side *s = &grid->side[side];
  int first, second;
  gmg_side_axes(side, &first, &second);
  return s->values ? s->values[(size_t)q * (size_t)grid->cells[first] + (size_t)p] : s->value;
}

int gmg_grid_axis(const gmg_grid *grid, int d, struct gmg_axis *axis)
{
  const int cells = grid->cells[d];
  *axis = (struct gmg_axis){.cells = cells, .weight = 1};
  for (int n = 0; n < 2; n++) {
    const struct gmg_grid_side *side = &grid->side[2 * d + n];
    axis->kind[n] = side->kind;
    axis->c0[n] = side->c0;
    axis->c1[n] = side->c1;
  }
  axis->width = gmg_malloc((size_t)cells * sizeof *axis->width);
  if (!axis->width)
    return -1;
  for (int i = 0; i < cells; i++)
    axis->width[i] = grid->faces[d] ? grid->faces[d][i + 1] - grid->faces[d][i]
                                    : (grid->upper[d] - grid->lower[d]) / cells;
  return 0;
}
