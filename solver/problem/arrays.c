#include "arrays.h"

#include "system/memory.h"
#include "runtime/bind.h"

#include <stddef.h>
#include <stdint.h>

static int overlap(const struct gmg_box *a, const struct gmg_box *b)
{
  for (int d = 0; d < 3; d++)
    if (a->lower[d] >= b->upper[d] || b->lower[d] >= a->upper[d])
      return 0;
  return 1;
}

/* Parts tile the grid if their cells add up to it and no two overlap. */
static gmg_status check_bricks(const struct gmg_problem *p, const struct gmg_box *brick, int ranks)
{
  const gmg_grid *grid = p->grid;
  double total = 0;
  for (int r = 0; r < ranks; r++) {
    double cells = 1;
    for (int d = 0; d < 3; d++)
      cells *= brick[r].upper[d] - brick[r].lower[d];
    total += cells;
    for (int q = 0; q < r && cells > 0; q++)
      if (overlap(&brick[q], &brick[r]))
        return gmg_fail(p->grid->context, GMG_ERR_ARGUMENT, "the parts of ranks %d and %d overlap",
                        q, r);
  }
  const double all = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];
  if (total != all)
    return gmg_fail(p->grid->context, GMG_ERR_ARGUMENT,
                    "the parts of all ranks have %.0f cells, the grid %.0f", total, all);
  return GMG_OK;
}

gmg_status gmg_arrays_bricks(gmg_solver *solver)
{
  gmg_context *context = solver->context;
  const int ranks = context->comm.ranks, rank = context->comm.rank;
  double *bounds = gmg_calloc((size_t)ranks * 6, sizeof *bounds);
  struct gmg_box *brick = gmg_calloc((size_t)ranks, sizeof *brick);
  gmg_status status = bounds && brick
    ? GMG_OK
    : gmg_fail(context, GMG_ERR_MEMORY, "out of memory for the parts of %d ranks", ranks);
  status = gmg_agree(context, status);
  if (!status) {
    for (int d = 0; d < 3; d++) {
      bounds[6 * rank + d] = solver->problem.grid->part_lower[d];
      bounds[6 * rank + 3 + d] = solver->problem.grid->part_upper[d];
    }
    if (gmg_comm_sum(&context->comm, bounds, 6 * ranks))
      status = gmg_fail(context, GMG_ERR_MPI, "MPI_Allreduce failed");
    for (int r = 0; r < ranks; r++) {
      brick[r].rank = r;
      for (int d = 0; d < 3; d++) {
        brick[r].lower[d] = (int)bounds[6 * r + d];
        brick[r].upper[d] = (int)bounds[6 * r + 3 + d];
      }
    }
    if (!status)
      status = check_bricks(&solver->problem, brick, ranks);
    if (!status
        && !(solver->arrays.bricks =
               gmg_layout_bricks(solver->problem.grid->cells, brick, rank, ranks)))
      status = gmg_fail(context, GMG_ERR_MEMORY, "out of memory for the parts of %d ranks", ranks);
    status = gmg_agree(context, status);
  }
  gmg_free(bounds);
  gmg_free(brick);
  return status;
}

/* Returns 1 if two of the values share memory, that is, if s[0] d[0] + s[1] d[1] + s[2] d[2] = 0
 * for some d other than 0 with |d| < n. That cannot be where every stride is beyond the reach of
 * the smaller ones together; elsewhere all d are tried. */
static int strides_overlap(const ptrdiff_t stride[3], const int extent[3])
{
  ptrdiff_t s[3] = {0, 0, 0}, n[3] = {1, 1, 1}, reach = 0;
  for (int d = 0; d < 3; d++) { /* sorted by stride; that of a single value does not count */
    const ptrdiff_t size = extent[d] == 1 ? 0 : stride[d] < 0 ? -stride[d] : stride[d];
    int at = d;
    for (; at > 0 && size < s[at - 1]; at--) {
      s[at] = s[at - 1];
      n[at] = n[at - 1];
    }
    s[at] = size;
    n[at] = extent[d];
  }
  int nested = 1;
  for (int d = 0; d < 3; d++) {
    nested = nested && (n[d] == 1 || s[d] > reach);
    reach += s[d] * (n[d] - 1);
  }
  if (nested)
    return 0;
  for (ptrdiff_t k = 0; k < n[2]; k++)
    for (ptrdiff_t j = k ? 1 - n[1] : 0; j < n[1]; j++) {
      const ptrdiff_t offset = k * s[2] + j * s[1];
      const ptrdiff_t i = s[0] ? offset / s[0] : 0;
      if (i * s[0] == offset && i < n[0] && -i < n[0] && (i || j || k || (s[0] == 0 && n[0] > 1)))
        return 1;
    }
  return 0;
}

gmg_status gmg_arrays_check_output(struct gmg_problem *p, const char *call, const char *what,
                                   const gmg_array *array, enum gmg_place place)
{
  const ptrdiff_t *stride = array->stride;
  int extent[3], fits = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = p->grid->part_upper[d] - p->grid->part_lower[d];
    if (cells == 0)
      return GMG_OK;
    extent[d] = cells + (place == (enum gmg_place)(GMG_FACE_I + d));
    const ptrdiff_t most =
      PTRDIFF_MAX / (ptrdiff_t)(4 * sizeof(double)) / extent[d]; /* that memory can have */
    fits = fits && (extent[d] == 1 || (stride[d] <= most && stride[d] >= -most));
  }
  if (fits && !strides_overlap(stride, extent))
    return GMG_OK;
  return gmg_fail(p->grid->context, GMG_ERR_ARGUMENT,
                  "%s: %s has strides %td, %td, %td for %d x %d x %d values: expected strides by "
                  "which no two of them "
                  "share memory",
                  call, what, stride[0], stride[1], stride[2], extent[0], extent[1], extent[2]);
}

static gmg_status out_of_memory(gmg_context *context)
{
  return gmg_fail(context, GMG_ERR_MEMORY, "out of memory for what moves the caller's arrays");
}

gmg_status gmg_arrays_plan(gmg_solver *s)
{
  const struct gmg_storage *finest = s->hierarchy.finest->storage;
  const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  for (int which = 0; which < 2; which++)
    s->arrays.view[which] = gmg_storage_view(s->arrays.bricks, dense);
  gmg_status status = gmg_agree(
    s->context, s->arrays.view[0] && s->arrays.view[1] ? GMG_OK : out_of_memory(s->context));
  if (status)
    return status;
  s->arrays.load =
    gmg_exchange_redistribute(&s->context->comm, s->arrays.view[0], finest, GMG_CELL);
  s->arrays.store =
    gmg_exchange_redistribute(&s->context->comm, finest, s->arrays.view[1], GMG_CELL);
  return gmg_agree(s->context,
                   s->arrays.load && s->arrays.store ? GMG_OK : out_of_memory(s->context));
}

void gmg_arrays_see(struct gmg_storage *view, struct gmg_exchange *exchange,
                    const ptrdiff_t stride[3])
{
  if (view->step == stride[0] && view->stride[0][0] == stride[1] && view->stride[0][1] == stride[2])
    return;
  gmg_storage_see(view, stride);
  gmg_exchange_see(exchange);
}

/* By the device, for an array in its memory. */
static gmg_status carry(gmg_solver *s, struct gmg_exchange *exchange, const gmg_array *array)
{
  size_t last = 0, values = 1; /* from the first to the last value of this rank's part */
  for (int d = 0; d < 3; d++) {
    const int cells = s->problem.grid->part_upper[d] - s->problem.grid->part_lower[d];
    values = cells == 0 ? 0 : values;
    last += (size_t)(cells - (cells > 0)) * (size_t)array->stride[d];
  }
  return s->placement.backend->carry(&s->placement, exchange, array->data,
                                     values * (last + 1) * sizeof(double));
}

gmg_status gmg_arrays_load(gmg_solver *s, const gmg_array *array)
{
  const gmg_status status = s->arrays.load ? GMG_OK : gmg_arrays_plan(s);
  if (status)
    return status;
  gmg_arrays_see(s->arrays.view[0], s->arrays.load, array->stride);
  struct gmg_level *finest = s->hierarchy.finest;
  if (finest->device && gmg_device_holds(s->context, array->data))
    return carry(s, s->arrays.load, array);
  gmg_move_values(s->context, s->arrays.load, gmg_exchange_stat(finest), array->data,
                  gmg_level_open(finest, GMG_NAME_U, GMG_REPLACE)->data);
  return GMG_OK;
}

gmg_status gmg_arrays_store(gmg_solver *s, const gmg_array *array)
{
  const gmg_status status = s->arrays.store ? GMG_OK : gmg_arrays_plan(s);
  if (status)
    return status;
  gmg_arrays_see(s->arrays.view[1], s->arrays.store, array->stride);
  struct gmg_level *finest = s->hierarchy.finest;
  if (finest->device && gmg_device_holds(s->context, array->data))
    return carry(s, s->arrays.store, array);
  gmg_move_values(s->context, s->arrays.store, gmg_exchange_stat(finest),
                  gmg_level_open(finest, GMG_NAME_U, GMG_READ)->data, array->data);
  return GMG_OK;
}
