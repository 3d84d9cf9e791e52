#include "walls.h"

#include "cuda/memory/bounce.h"
#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "mesh/exchange_plan.h"
#include "queue.h"
#include "runtime/placement.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACTORS = 6 }; /* one for each face of the domain */

/* Ghosts beyond a wall from the layer that they mirror. */
static struct gmg_device_block block_of_wall(const struct gmg_exchange *e,
                                             const struct gmg_wall *wall)
{
  const struct gmg_storage *storage = e->to;
  const struct gmg_box *box = &storage->layout->box[storage->layout->local[wall->box]];
  const int around = e->shape == GMG_FULL ? e->depth[0] : 0;
  int first[3], mirror[3];
  struct gmg_device_block block = {.to_box = wall->box, .from_box = wall->box};
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

static int is_empty(const struct gmg_device_block *block)
{
  return block->extent[0] <= 0 || block->extent[1] <= 0 || block->extent[2] <= 0;
}

/* How many layers of ghosts lie between a wall's and the cells. */
static int layer_of(const struct gmg_exchange *e, const struct gmg_wall *wall)
{
  const struct gmg_layout *layout = e->to->layout;
  const int ghost = layout->box[layout->local[wall->box]].lower[wall->axis] + wall->ghost;
  return ghost < 0 ? -1 - ghost : ghost - layout->cells[wall->axis];
}

/* Walls that one launch fills: of a layer, a factor and one way to store rows; where edges and
 * corners are filled, too, of one axis, as the next one reads what they have filled. */
struct wall_set {
  int axis, layer, split; /* axis: 3 for all */
  double factor;
};

static int is_in_set(const struct gmg_exchange *e, const struct gmg_wall *wall,
                     const struct wall_set *set)
{
  return (set->axis == 3 || wall->axis == set->axis) && layer_of(e, wall) == set->layer
    && (gmg_block_odd(e->to, wall->box) != 0) == set->split && wall->factor == set->factor;
}

static int add_wall_set(struct gmg_device *device, struct gmg_level *level,
                        struct gmg_prepared_move *move, const struct wall_set *set, void *to,
                        struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  struct gmg_prepared *step = NULL;
  int count = 0;
  for (int w = 0; w < e->walls; w++)
    count += is_in_set(e, &e->wall[w], set);
  for (int w = 0; w < e->walls; w++) {
    const struct gmg_device_block block = block_of_wall(e, &e->wall[w]);
    if (!is_in_set(e, &e->wall[w], set) || is_empty(&block))
      continue;
    if (!step)
      step = gmg_block_step(device, level, gmg_block_mover(e, block.to_box), count, set->factor);
    if (!step)
      return -1;
    gmg_block_add(step, e, &block, to, to, tables);
  }
  if (step)
    move->step[move->steps++] = step;
  return 0;
}

/* The different factors of all walls. */
static int list_factors(const struct gmg_exchange *e, double factor[MOST_FACTORS])
{
  int count = 0;
  for (int w = 0; w < e->walls; w++) {
    int known = 0;
    while (known < count && factor[known] != e->wall[w].factor)
      known++;
    if (known == count)
      factor[count++] = e->wall[w].factor;
  }
  return count;
}

/* Layers from the cells on: a thin box mirrors those that are filled already. */
int gmg_walls_add(struct gmg_device *device, struct gmg_level *level,
                  struct gmg_prepared_move *move, void *to, struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  double factor[MOST_FACTORS];
  const int factors = list_factors(e, factor), apart = e->shape == GMG_FULL;
  for (int axis = apart ? 0 : 3; factors > 0 && axis < (apart ? 3 : 4); axis++)
    for (int layer = 0; layer < e->depth[0]; layer++)
      for (int n = 0; n < 2 * factors; n++) {
        const struct wall_set set = {axis, layer, n % 2, factor[n / 2]};
        if (add_wall_set(device, level, move, &set, to, tables))
          return -1;
      }
  return 0;
}

size_t gmg_walls_most(const struct gmg_exchange *e)
{
  return 3 * (size_t)e->depth[0] * 2 * MOST_FACTORS;
}

static size_t cells_of(const struct gmg_source *patch)
{
  return (size_t)patch->extent[0] * (size_t)patch->extent[1] * (size_t)patch->extent[2];
}

/* Patches on their way from fields to packed values, and their tables. */
struct reading {
  struct gmg_prepared *step;
  struct gmg_chunk *chunk;
  struct gmg_block_tables tables;
  CUdeviceptr values;
  double *value; /* on the host */
};

static struct gmg_level_array *field_of(const struct gmg_level *level,
                                        const struct gmg_source *patch)
{
  return gmg_level_find(level, (int)GMG_NAME_BETA_I + patch->side / 2);
}

static void fill(struct reading *reading, struct gmg_level *level, const struct gmg_source *patch,
                 int patches)
{
  const struct gmg_storage *storage = level->storage;
  int64_t to = 0;
  gmg_block_restart(&reading->tables);
  reading->step->boxes = 0;
  for (int n = 0; n < patches; n++) {
    const int b = patch[n].box, *start = patch[n].start;
    struct gmg_device_block block = {.to = to,
                                     .from = storage->origin[b] + start[1] * storage->stride[b][0]
                                       + start[2] * storage->stride[b][1],
                                     .from_i = start[0],
                                     .to_box = -1,
                                     .from_box = b};
    struct gmg_cuda_args args = {
      .field = {(void *)(uintptr_t)reading->values, gmg_block_start(field_of(level, &patch[n]))}};
    memcpy(block.extent, patch[n].extent, sizeof block.extent);
    gmg_block_prepare(storage, storage, &block, &reading->tables, &args);
    gmg_prepared_add(reading->step, &args);
    to += (int64_t)cells_of(&patch[n]);
  }
}

/* Launches it, and waits for the values. */
static int run(struct gmg_device *device, const struct reading *reading, size_t bytes)
{
  CUDA_KERNEL_NODE_PARAMS node;
  struct gmg_cuda_args args = reading->step->args;
  void *argument[] = {&args};
  gmg_device_enter(device);
  int failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, reading->tables.at, reading->tables.value,
                              reading->tables.count * sizeof(int), device->stream);
  gmg_prepared_node(reading->step, argument, &node);
  if (!failed)
    gmg_prepared_launch(device, &node, reading->step->kernel->kernel->symbol);
  failed = failed || gmg_bounce_to_host(device, reading->value, reading->values, bytes);
  gmg_device_leave(device);
  return failed || device->failed;
}

static int read_all(struct gmg_device *device, struct reading *reading, struct gmg_level *level,
                    const struct gmg_source *patch, int patches)
{
  size_t bytes = 0;
  for (int n = 0; n < patches; n++)
    bytes += cells_of(&patch[n]) * sizeof(double);
  fill(reading, level, patch, patches);
  const int64_t table_bytes = (int64_t)(reading->tables.count * sizeof(int)),
                step_bytes = gmg_block_step_bytes(reading->step);
  reading->chunk = gmg_mirror_take(device, (int64_t)bytes + table_bytes + step_bytes + 1024);
  reading->tables.value = calloc(reading->tables.count, sizeof(int));
  reading->value = malloc(bytes);
  if (!reading->chunk || !reading->tables.value || !reading->value)
    return -1;
  reading->values = gmg_mirror_piece(reading->chunk, (int64_t)bytes);
  reading->tables.at = gmg_mirror_piece(reading->chunk, table_bytes);
  fill(reading, level, patch, patches);
  if (gmg_prepared_place(device, reading->step, gmg_mirror_piece(reading->chunk, step_bytes))
      || run(device, reading, bytes))
    return -1;
  const double *value = reading->value;
  for (int n = 0; n < patches; n++) {
    memcpy(patch[n].value, value, cells_of(&patch[n]) * sizeof *value);
    value += cells_of(&patch[n]);
  }
  return 0;
}

int gmg_cuda_read(gmg_context *context, struct gmg_level *level, const struct gmg_source *patch,
                  int patches)
{
  struct gmg_device *device = context->device;
  const struct gmg_cuda_kernel *kernel = gmg_block_kernel("move", GMG_F64, 0);
  struct reading reading = {.chunk = NULL};
  if (patches == 0)
    return 1;
  if (level->precision != GMG_F64 || !kernel || !gmg_modules_find(device, kernel, 1))
    return 0;
  for (int n = 0; n < patches; n++) {
    const struct gmg_mirror *mirror = &field_of(level, &patch[n])->mirror;
    if (!mirror->at || mirror->newer == GMG_NEWER_HOST)
      return 0;
  }
  gmg_queue_flush(device->queue);
  reading.step = gmg_block_step(device, level, kernel, patches, 1);
  if (!reading.step)
    return 0;
  const int failed = read_all(device, &reading, level, patch, patches);
  free(reading.tables.value);
  free(reading.value);
  gmg_prepared_destroy(&reading.step);
  if (reading.chunk)
    gmg_mirror_release(device, &reading.chunk);
  return !failed;
}
