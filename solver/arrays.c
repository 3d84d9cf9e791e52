#include "arrays.h"

#include "carry.h"
#include "memory.h"
#include "openmp/bind.h"

#include <string.h>

static int overlap(const struct gmg_box *a, const struct gmg_box *b)
{
  for (int d = 0; d < 3; d++)
    if (a->lower[d] >= b->upper[d] || b->lower[d] >= a->upper[d])
      return 0;
  return 1;
}

/* Parts tile the grid if their cells add up to it and no two overlap. */
static gmg_status check_bricks(const struct gmg_solver *solver, const struct gmg_box *brick, int ranks)
{
  const struct gmg_grid *grid = solver->grid;
  double total = 0;
  for (int r = 0; r < ranks; r++) {
    double cells = 1;
    for (int d = 0; d < 3; d++)
      cells *= brick[r].upper[d] - brick[r].lower[d];
    total += cells;
    for (int q = 0; q < r && cells > 0; q++)
      if (overlap(&brick[q], &brick[r]))
        return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "the parts of ranks %d and %d overlap", q, r);
  }
  const double all = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];
  if (total != all)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "the parts of all ranks have %.0f cells, the grid %.0f", total,
                    all);
  return GMG_OK;
}

gmg_status gmg_arrays_bricks(struct gmg_solver *solver)
{
  gmg_context *context = solver->context;
  const int ranks = context->comm.ranks, rank = context->comm.rank;
  double *bounds = gmg_calloc((size_t)ranks * 6, sizeof *bounds);
  struct gmg_box *brick = gmg_calloc((size_t)ranks, sizeof *brick);
  gmg_status status =
    bounds && brick ? GMG_OK : gmg_fail(context, GMG_ERR_MEMORY, "out of memory for the parts of %d ranks", ranks);
  status = gmg_agree(context, status);
  if (!status) {
    for (int d = 0; d < 3; d++) {
      bounds[6 * rank + d] = solver->grid->part_lower[d];
      bounds[6 * rank + 3 + d] = solver->grid->part_upper[d];
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
      status = check_bricks(solver, brick, ranks);
    if (!status && !(solver->bricks = gmg_layout_bricks(solver->grid->cells, brick, rank, ranks)))
      status = gmg_fail(context, GMG_ERR_MEMORY, "out of memory for the parts of %d ranks", ranks);
    status = gmg_agree(context, status);
  }
  gmg_free(bounds);
  gmg_free(brick);
  return status;
}

static gmg_status out_of_memory(gmg_context *context)
{
  return gmg_fail(context, GMG_ERR_MEMORY, "out of memory for what moves the caller's arrays");
}

gmg_status gmg_arrays_view(struct gmg_solver *s, int which, const ptrdiff_t stride[3])
{
  struct gmg_exchange **exchange = which ? &s->store : &s->load;
  if (gmg_carry_suits(s, stride))
    return GMG_OK;
  int differs = !*exchange || memcmp(stride, s->view_stride[which], sizeof s->view_stride[which]) != 0;
  if (gmg_comm_max_int(&s->context->comm, &differs, 1))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  if (!differs)
    return GMG_OK;
  gmg_backend_forget(s, *exchange);
  gmg_exchange_destroy(exchange);
  gmg_storage_destroy(&s->view[which]);
  s->view[which] = gmg_storage_view(s->bricks, stride);
  gmg_status status = s->view[which] ? GMG_OK : out_of_memory(s->context);
  status = gmg_agree(s->context, status);
  if (status)
    return status;
  const struct gmg_storage *finest = s->finest->storage;
  *exchange = which ? gmg_exchange_redistribute(&s->context->comm, finest, s->view[which], GMG_CELL)
                    : gmg_exchange_redistribute(&s->context->comm, s->view[which], finest, GMG_CELL);
  memcpy(s->view_stride[which], stride, sizeof s->view_stride[which]);
  return gmg_agree(s->context, *exchange ? GMG_OK : out_of_memory(s->context));
}

gmg_status gmg_arrays_load(struct gmg_solver *s, const gmg_array *array)
{
  if (gmg_carry_suits(s, array->stride)) {
    gmg_carry_in(s, array, gmg_level_open(s->finest, "u", GMG_REPLACE), GMG_CELL);
    return GMG_OK;
  }
  const gmg_status status = gmg_arrays_view(s, 0, array->stride);
  if (status)
    return status;
  struct gmg_level *finest = s->finest;
  if (finest->device && gmg_device_holds(s->context, array->data))
    return gmg_device_load(s, array);
  gmg_move_values(s->context, s->load, gmg_exchange_stat(finest), array->data,
                  gmg_level_open(finest, "u", GMG_REPLACE)->data);
  return GMG_OK;
}

gmg_status gmg_arrays_store(struct gmg_solver *s, const gmg_array *array)
{
  if (gmg_carry_suits(s, array->stride)) {
    gmg_carry_out(s, array, gmg_level_open(s->finest, "u", GMG_READ));
    return GMG_OK;
  }
  const gmg_status status = gmg_arrays_view(s, 1, array->stride);
  if (status)
    return status;
  struct gmg_level *finest = s->finest;
  if (finest->device && gmg_device_holds(s->context, array->data))
    return gmg_device_store(s, array);
  gmg_move_values(s->context, s->store, gmg_exchange_stat(finest), gmg_level_open(finest, "u", GMG_READ)->data,
                  array->data);
  return GMG_OK;
}
