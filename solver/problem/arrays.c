#include "arrays.h"

#include "mesh/exchange_plan.h"
#include "system/memory.h"
#include "runtime/bind.h"

#include <stddef.h>
#include <stdint.h>

static int overlap(const struct gmg_box *a, const struct gmg_box *b)
{
  int meet = 1;
  for (int d = 0; d < 3; d++)
    meet = meet && a->lower[d] < b->upper[d] && b->lower[d] < a->upper[d];
  return meet;
}

/* Parts tile the grid if their cells add up to it and no two overlap. */
static gmg_status check_bricks(const gmg_grid *grid, const struct gmg_box *brick, int ranks)
{
  double total = 0;
  for (int r = 0; r < ranks; r++) {
    double cells = 1;
    for (int d = 0; d < 3; d++)
      cells *= brick[r].upper[d] - brick[r].lower[d];
    total += cells;
    for (int q = 0; q < r && cells > 0; q++)
      if (overlap(&brick[q], &brick[r]))
        return gmg_fail(grid->context, GMG_ERR_ARGUMENT, "the parts of ranks %d and %d overlap", q,
                        r);
  }
  const double all = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];
  if (total != all)
    return gmg_fail(grid->context, GMG_ERR_ARGUMENT,
                    "the parts of all ranks have %.0f cells, the grid %.0f", total, all);
  return GMG_OK;
}

gmg_status gmg_arrays_bricks(const gmg_grid *grid, struct gmg_layout **bricks)
{
  gmg_context *context = grid->context;
  const int ranks = context->comm.ranks, rank = context->comm.rank;
  struct gmg_box *brick = gmg_calloc((size_t)ranks, sizeof *brick);
  gmg_status status =
    gmg_agree(context, brick ? GMG_OK : gmg_no_memory(context, "for the parts of %d ranks", ranks));
  if (!status) {
    gmg_grid_part(grid, brick[rank].lower, brick[rank].upper);
    if (gmg_comm_tell(&context->comm, brick, sizeof *brick))
      status = gmg_mpi_failed(context);
    else
      status = check_bricks(grid, brick, ranks);
    if (!status && !(*bricks = gmg_layout_bricks(grid->cells, brick, rank, ranks)))
      status = gmg_no_memory(context, "for the parts of %d ranks", ranks);
    status = gmg_agree(context, status);
  }
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
    extent[d] = cells + (place == gmg_face(d));
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

gmg_status gmg_arrays_check_reach(gmg_solver *s, const char *call, const gmg_array *const *array,
                                  int arrays)
{
  if (s->hierarchy.finest->device || !gmg_grid_has_part(s->problem.grid))
    return GMG_OK;
  for (int n = 0; n < arrays; n++)
    if (gmg_device_holds(s->context, array[n]->data))
      return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                      "%s: array %d is in the memory of a GPU, and the host computes this solver: "
                      "expected arrays of the host, or the option backend=cuda before setup",
                      call, n + 1);
  return GMG_OK;
}

static gmg_status agree_on(gmg_context *context, int planned)
{
  return gmg_agree(context,
                   planned ? GMG_OK : gmg_no_memory(context, "for what moves the caller's arrays"));
}

gmg_status gmg_arrays_plan(gmg_solver *s)
{
  const struct gmg_storage *finest = s->hierarchy.finest->storage;
  const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  for (int which = 0; which < 2; which++)
    s->arrays.view[which] = gmg_storage_view(s->arrays.bricks, dense);
  const gmg_status status = agree_on(s->context, s->arrays.view[0] && s->arrays.view[1]);
  if (status)
    return status;
  s->arrays.load =
    gmg_exchange_redistribute(&s->context->comm, s->arrays.view[0], finest, GMG_CELL);
  s->arrays.store =
    gmg_exchange_redistribute(&s->context->comm, finest, s->arrays.view[1], GMG_CELL);
  return agree_on(s->context, s->arrays.load && s->arrays.store);
}

void gmg_arrays_see(struct gmg_storage *view, struct gmg_exchange *exchange,
                    const ptrdiff_t stride[3])
{
  if (view->step == stride[0] && view->stride[0][0] == stride[1] && view->stride[0][1] == stride[2])
    return;
  gmg_storage_see(view, stride);
  gmg_exchange_see(exchange);
}

/* Whether the device moves values of such an array; a rank that has none does as the others. */
static int device_moves(gmg_solver *s, const gmg_array *array)
{
  gmg_context *context = s->context;
  int there = array->data && gmg_device_holds(context, array->data);
  const int error = context->comm.ranks > 1 ? gmg_comm_max_int(&context->comm, &there, 1) : 0;
  if (error)
    context->mpi_error = error;
  return there;
}

gmg_status gmg_arrays_move(gmg_solver *s, struct gmg_exchange *exchange, int name,
                           const gmg_array *array, size_t span)
{
  struct gmg_level *finest = s->hierarchy.finest;
  const int store = exchange->from == finest->storage;
  if (finest->device && device_moves(s, array))
    return s->placement.backend->carry(&s->placement, exchange, gmg_level_find(finest, name),
                                       array->data, span * sizeof(double));
  void *values = gmg_level_open(finest, name, store ? GMG_READ : GMG_REPLACE)->data;
  gmg_move_values(s->context, exchange, gmg_exchange_stat(finest), store ? values : array->data,
                  store ? array->data : values);
  return GMG_OK;
}

/* Between the caller's array and u of the finest level. */
static gmg_status move_u(gmg_solver *s, const gmg_array *array, int store)
{
  const gmg_status status = s->arrays.store ? GMG_OK : gmg_arrays_plan(s);
  if (status)
    return status;
  struct gmg_exchange *exchange = store ? s->arrays.store : s->arrays.load;
  gmg_arrays_see(s->arrays.view[store], exchange, array->stride);
  return gmg_arrays_move(s, exchange, GMG_NAME_U, array,
                         gmg_grid_span(s->problem.grid, array->stride));
}

gmg_status gmg_arrays_load(gmg_solver *s, const gmg_array *array)
{
  return move_u(s, array, 0);
}

gmg_status gmg_arrays_store(gmg_solver *s, const gmg_array *array)
{
  return move_u(s, array, 1);
}
