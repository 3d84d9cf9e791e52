#include "move.h"

#include "../exchange_plan.h"
#include "mirror.h"
#include "modules.h"

#include <stdlib.h>
#include <string.h>

/* A block of values on its way: rows of `extent`, each end with a first element and strides, one of them a row's. */
struct block {
  int64_t to, from; /* from a component's start to the first row's element 0 */
  int to_i, from_i; /* from there along the row */
  int extent[3];
  int to_box, from_box; /* whose strides hold; -1: packed */
  double factor;
};

static struct block block_of_copy(const struct gmg_copy *copy)
{
  struct block block = {copy->to, copy->from, copy->to_i, copy->from_i, {0}, copy->to_box, copy->from_box, 1};
  memcpy(block.extent, copy->extent, sizeof block.extent);
  return block;
}

/* Ghosts beyond a wall from the layer that they mirror. */
static struct block block_of_wall(const struct gmg_exchange *e, const struct gmg_wall *wall)
{
  const struct gmg_storage *storage = e->to;
  const struct gmg_box *box = &storage->layout->box[storage->layout->local[wall->box]];
  const int around = e->shape == GMG_FULL ? e->depth[0] : 0;
  int first[3], mirror[3];
  struct block block = {.to_box = wall->box, .from_box = wall->box, .factor = wall->factor};
  for (int d = 0; d < 3; d++) {
    first[d] = mirror[d] = -around;
    block.extent[d] = box->upper[d] - box->lower[d] + 2 * around;
  }
  first[wall->axis] = wall->ghost;
  mirror[wall->axis] = wall->mirror;
  block.extent[wall->axis] = 1;
  block.to_i = first[0];
  block.from_i = mirror[0];
  block.to = block.from = storage->origin[wall->box];
  for (int d = 1; d < 3; d++) {
    block.to += first[d] * storage->stride[wall->box][d - 1];
    block.from += mirror[d] * storage->stride[wall->box][d - 1];
  }
  return block;
}

static ptrdiff_t odd_of(const struct gmg_storage *storage, int box)
{
  return box < 0 ? 0 : storage->odd[box];
}

static const struct gmg_cuda_kernel *kernel_for(const struct gmg_exchange *e, int to_box)
{
  const enum gmg_precision precision = e->to->element_bytes == sizeof(double) ? GMG_F64 : GMG_F32;
  const enum gmg_rows rows = odd_of(e->to, to_box) ? GMG_SPLIT : GMG_PLAIN;
  const struct gmg_kernel_descriptor like = {
    .name = "move", .variant = "", .role = GMG_AS_WRITTEN, .precision = precision, .rows_stored = rows};
  return gmg_modules_text(&like);
}

static int add_kernel(const struct gmg_cuda_kernel **list, int count, int most, const struct gmg_cuda_kernel *kernel)
{
  for (int n = 0; n < count; n++)
    if (list[n] == kernel)
      return count;
  if (!kernel || count == most)
    return -1;
  list[count] = kernel;
  return count + 1;
}

int gmg_move_kernels(const struct gmg_exchange *e, const struct gmg_cuda_kernel **list, int count, int most)
{
  if (e->sends + e->receives > 0 || e->to->step != 1)
    return -1;
  for (int c = 0; c < e->local.count && count >= 0; c++)
    count = add_kernel(list, count, most, kernel_for(e, e->local.copy[c].to_box));
  for (int w = 0; w < e->walls && count >= 0; w++)
    count = add_kernel(list, count, most, kernel_for(e, e->wall[w].box));
  return count;
}

/* The tables of all launches of a move, first counted, then filled. */
struct tables {
  int *value; /* NULL while they are counted */
  size_t count;
  CUdeviceptr at;
};

/* A table of n entries, entry i at gmg_at(i, odd), or at i where odd is 0. Gives where entry 0 is. */
static CUdeviceptr add_table(struct tables *tables, int n, ptrdiff_t odd, int (*entry)(const void *user, int i),
                             const void *user)
{
  ptrdiff_t low = 0, high = 0;
  for (int i = 0; i < n; i++) {
    const ptrdiff_t at = odd ? gmg_at(i, odd) : i;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  const size_t zero = tables->count + (size_t)-low;
  for (int i = 0; i < n && tables->value; i++)
    tables->value[(ptrdiff_t)zero + (odd ? gmg_at(i, odd) : i)] = entry(user, i);
  tables->count += (size_t)(high - low + 1);
  return tables->at + zero * sizeof(int);
}

static int same(const void *user, int i)
{
  (void)user;
  return i;
}

/* Where the source has element i of a row. */
struct source {
  int first, step, doubled;
  ptrdiff_t odd;
};

static int place(const void *user, int i)
{
  const struct source *source = user;
  const ptrdiff_t at =
    source->odd ? gmg_at(source->first + i, source->odd) : (ptrdiff_t)(source->first + i) * source->step;
  return (int)(source->doubled ? 2 * at : at); /* a kernel of split rows finds element 2 at at `at` */
}

static void set_strides(const struct gmg_storage *storage, int box, const int extent[3], ptrdiff_t stride[2])
{
  stride[0] = box < 0 ? extent[0] : storage->stride[box][0];
  stride[1] = box < 0 ? (ptrdiff_t)extent[0] * extent[1] : storage->stride[box][1];
}

/* One launch. An odd first element of a split row: its successors in the row are where those of an even one would be, with
 * another distance between even and odd. */
static void prepare(const struct gmg_exchange *e, const struct block *block, const struct gmg_cuda_kernel *kernel,
                    struct tables *tables, struct gmg_launch *launch)
{
  const size_t bytes = e->to->element_bytes;
  const ptrdiff_t odd = odd_of(e->to, block->to_box), own = odd && (block->to_i & 1) ? 1 - odd : odd;
  const struct source source = {.first = block->from_i,
                                .step = block->from_box < 0 ? 1 : (int)e->from->step,
                                .doubled = odd != 0,
                                .odd = odd_of(e->from, block->from_box)};
  struct gmg_cuda_args *args = &launch->args;
  memcpy(args->box.cells, block->extent, sizeof args->box.cells);
  set_strides(e->to, block->to_box, block->extent, args->box.stride);
  set_strides(e->from, block->from_box, block->extent, args->box.other_stride);
  args->box.odd = own;
  args->scalar[0] = block->factor;
  const int64_t first = block->to + (odd ? gmg_at(block->to_i, odd) : block->to_i);
  args->field[0] = (char *)args->field[0] + (size_t)first * bytes;
  args->field[1] = (char *)args->field[1] + (size_t)block->from * bytes;
  const CUdeviceptr at[3] = {add_table(tables, block->extent[0], own, place, &source),
                             add_table(tables, block->extent[1], 0, same, NULL),
                             add_table(tables, block->extent[2], 0, same, NULL)};
  for (int d = 0; d < 3; d++)
    args->field[2 + d] = (void *)(uintptr_t)at[d];
  gmg_cuda_grid(kernel, &kernel->form[0], &kernel->form[0].shape, args->box.cells, launch->grid);
}

/* A step of so many launches of a kernel. */
static struct gmg_ready *make_step(struct gmg_device *device, struct gmg_level *level,
                                   const struct gmg_cuda_kernel *kernel, int launches)
{
  struct gmg_ready *step = calloc(1, sizeof *step + (size_t)launches * sizeof step->launch[0]);
  if (!step)
    return NULL;
  step->level = level;
  step->stat = gmg_exchange_stat(level);
  step->kernel = gmg_modules_find(device, kernel);
  step->shape = &kernel->form[0].shape;
  return step;
}

static void *start_of(const struct gmg_level_array *array)
{
  return array ? (char *)(uintptr_t)array->mirror.at + ((const char *)array->data - (const char *)array->allocation)
               : NULL;
}

static void add_launch(struct gmg_ready *step, const struct gmg_exchange *e, const struct block *block,
                       const struct gmg_ready_move *move, struct tables *tables)
{
  struct gmg_launch *launch = &step->launch[step->launches++];
  const int64_t cells = (int64_t)block->extent[0] * block->extent[1] * block->extent[2];
  launch->args = (struct gmg_cuda_args){.field = {start_of(move->to), start_of(move->from)}};
  prepare(e, block, step->kernel->kernel, tables, launch);
  step->cells = cells > step->cells ? cells : step->cells;
}

static int is_empty(const struct block *block)
{
  return block->extent[0] <= 0 || block->extent[1] <= 0 || block->extent[2] <= 0;
}

/* Copies to boxes of split rows, those to plain ones, and walls one after the other. */
static int fill_steps(struct gmg_device *device, struct gmg_level *level, const struct gmg_exchange *e,
                      struct gmg_ready_move *move, struct tables *tables)
{
  move->steps = 0;
  tables->count = 0;
  for (int split = 0; split < 2; split++) {
    struct gmg_ready *step = NULL;
    for (int c = 0; c < e->local.count; c++) {
      const struct block block = block_of_copy(&e->local.copy[c]);
      if ((odd_of(e->to, block.to_box) != 0) != split || is_empty(&block))
        continue;
      if (!step && !(step = make_step(device, level, kernel_for(e, block.to_box), e->local.count)))
        return -1;
      add_launch(step, e, &block, move, tables);
    }
    if (step)
      move->step[move->steps++] = step;
  }
  for (int w = 0; w < e->walls; w++) {
    const struct block block = block_of_wall(e, &e->wall[w]);
    struct gmg_ready *step = is_empty(&block) ? NULL : make_step(device, level, kernel_for(e, block.to_box), 1);
    if (is_empty(&block))
      continue;
    if (!step)
      return -1;
    add_launch(step, e, &block, move, tables);
    move->step[move->steps++] = step;
  }
  return 0;
}

static void free_steps(struct gmg_ready_move *move)
{
  while (move->steps > 0)
    free(move->step[--move->steps]);
}

/* Twice: the first time the tables are only counted. */
static int fill(struct gmg_device *device, struct gmg_level *level, const struct gmg_exchange *e,
                struct gmg_ready_move *move)
{
  struct tables tables = {.value = NULL};
  if (fill_steps(device, level, e, move, &tables))
    return -1;
  free_steps(move);
  const size_t bytes = (tables.count + 1) * sizeof(int);
  tables.value = calloc(tables.count + 1, sizeof(int));
  move->tables = gmg_mirror_take(device, (int64_t)bytes);
  int failed = !tables.value || !move->tables;
  if (!failed) {
    tables.at = gmg_mirror_piece(move->tables, (int64_t)bytes);
    failed = fill_steps(device, level, e, move, &tables);
  }
  if (!failed) {
    gmg_device_enter(device);
    failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, tables.at, tables.value, bytes, device->stream);
    gmg_device_leave(device);
  }
  free(tables.value);
  return failed;
}

struct gmg_ready_move *gmg_move_create(struct gmg_device *device, struct gmg_level *level, const struct gmg_exchange *e,
                                       const struct gmg_level_array *from, const struct gmg_level_array *to)
{
  struct gmg_ready_move *move = calloc(1, sizeof *move);
  if (move) {
    move->exchange = e;
    move->from = from;
    move->to = to;
    move->step = calloc((size_t)e->walls + 2, sizeof(struct gmg_ready *));
  }
  if (!move || !move->step || fill(device, level, e, move)) {
    gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", "an exchange");
    gmg_move_destroy(device, &move);
  }
  return move;
}

void gmg_move_destroy(struct gmg_device *device, struct gmg_ready_move **move)
{
  if (!*move)
    return;
  free_steps(*move);
  free((*move)->step);
  if ((*move)->tables)
    gmg_mirror_release(device, &(*move)->tables);
  free(*move);
  *move = NULL;
}

void gmg_move_start(struct gmg_device *device, const struct gmg_ready_move *move, CUdeviceptr values)
{
  gmg_device_enter(device);
  for (int s = 0; s < move->steps; s++) {
    const struct gmg_ready *step = move->step[s];
    for (int n = 0; n < step->launches; n++) {
      struct gmg_cuda_args args = step->launch[n].args;
      void *argument[] = {&args};
      if (!move->to)
        args.field[0] = (void *)((uintptr_t)args.field[0] + (uintptr_t)values);
      if (!move->from)
        args.field[1] = (void *)((uintptr_t)args.field[1] + (uintptr_t)values);
      GMG_DEVICE_TRY(device, cuLaunchKernel, gmg_ready_function(step), step->launch[n].grid[0], step->launch[n].grid[1],
                     step->launch[n].grid[2], (unsigned)step->shape->block_i, (unsigned)step->shape->block_j, 1, 0,
                     device->stream, argument, NULL);
    }
  }
  gmg_device_leave(device);
}
