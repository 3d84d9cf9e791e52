#include "sources.h"

#include "blocks.h"
#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "newest.h"
#include "queue.h"

#include <stdlib.h>
#include <string.h>

struct gmg_prepared_sources {
  struct gmg_chunk *chunk; /* values, tables */
  CUdeviceptr values;
  int steps;
  /* in the order in which the host adds sources: a launch for those of a side that follow one
   * another */
  struct gmg_prepared *step[];
};

static const struct gmg_cuda_kernel *kernel_for(const struct gmg_level *level, int box)
{
  return gmg_block_kernel(level->precision == GMG_F64 ? "add_values" : "add_values_single", GMG_F64,
                          gmg_block_odd(level->storage, box) != 0);
}

int gmg_sources_kernels(const struct gmg_placement *p, int cycle,
                        const struct gmg_cuda_kernel *list[2])
{
  int count = 0;
  for (int n = 0; n < p->sources && p->cycle[cycle][0]; n++) {
    const int l = p->source[n].level;
    const struct gmg_cuda_kernel *kernel = kernel_for(p->cycle[cycle][l], p->source[n].box);
    if (!kernel || l >= p->host_from)
      return -1;
    if ((count < 1 || list[0] != kernel) && (count < 2 || list[1] != kernel))
      list[count++] = kernel;
  }
  return count;
}

static size_t cells_of(const struct gmg_source *source)
{
  return (size_t)source->extent[0] * (size_t)source->extent[1] * (size_t)source->extent[2];
}

/* `from`: where its values begin among those of all sources. */
static struct gmg_device_block block_of(const struct gmg_storage *storage,
                                        const struct gmg_source *source, size_t from)
{
  struct gmg_device_block block = {.to = storage->origin[source->box],
                                   .from = (int64_t)from,
                                   .to_i = source->start[0],
                                   .to_box = source->box,
                                   .from_box = -1};
  for (int d = 1; d < 3; d++)
    block.to += source->start[d] * storage->stride[source->box][d - 1];
  memcpy(block.extent, source->extent, sizeof block.extent);
  return block;
}

static const struct gmg_cuda_kernel *kernel_of(const struct gmg_placement *p, int cycle, int n)
{
  return kernel_for(p->cycle[cycle][p->source[n].level], p->source[n].box);
}

/* How many sources from the n-th on are of its level and side, so that they share no cell, and are
 * added by its kernel. */
static int count_together(const struct gmg_placement *p, int cycle, int n)
{
  const struct gmg_source *first = &p->source[n];
  int count = 1;
  while (n + count < p->sources && first[count].level == first->level
         && first[count].side == first->side
         && kernel_of(p, cycle, n + count) == kernel_of(p, cycle, n))
    count++;
  return count;
}

static void free_steps(struct gmg_prepared_sources *sources)
{
  while (sources->steps > 0)
    gmg_prepared_destroy(&sources->step[--sources->steps]);
}

/* All launches; the first time the tables are only counted. Returns -1 out of memory. */
static int fill(struct gmg_placement *p, int cycle, struct gmg_block_tables *tables)
{
  struct gmg_prepared_sources *sources = p->prepared_sources[cycle];
  struct gmg_prepared *step = NULL;
  size_t from = 0;
  gmg_block_restart(tables);
  free_steps(sources);
  for (int n = 0; n < p->sources; n++) {
    const struct gmg_source *source = &p->source[n];
    struct gmg_level *level = p->cycle[cycle][source->level];
    const struct gmg_device_block block = block_of(level->storage, source, from);
    struct gmg_cuda_args args = {.field = {gmg_block_start(gmg_level_find(level, GMG_NAME_F)),
                                           (void *)(uintptr_t)sources->values}};
    if (!step || step->boxes == step->room) {
      step =
        gmg_block_step(p->device, level, kernel_of(p, cycle, n), count_together(p, cycle, n), 1);
      if (!step)
        return -1;
      sources->step[sources->steps++] = step;
    }
    gmg_block_prepare(level->storage, NULL, &block, tables, &args);
    gmg_prepared_add(step, &args);
    from += cells_of(source);
  }
  return 0;
}

/* What the tables of all launches take. */
static int64_t steps_bytes(const struct gmg_prepared_sources *sources)
{
  int64_t bytes = 0;
  for (int n = 0; n < sources->steps; n++)
    bytes += gmg_block_step_bytes(sources->step[n]);
  return bytes;
}

static int place_steps(struct gmg_device *device, struct gmg_prepared_sources *sources)
{
  int failed = 0;
  for (int n = 0; n < sources->steps && !failed; n++) {
    const int64_t bytes = gmg_block_step_bytes(sources->step[n]);
    failed = gmg_prepared_place(device, sources->step[n], gmg_mirror_piece(sources->chunk, bytes));
  }
  return failed;
}

static int upload(struct gmg_placement *p, const struct gmg_prepared_sources *sources,
                  const struct gmg_block_tables *tables)
{
  struct gmg_device *device = p->device;
  CUdeviceptr values = sources->values;
  int failed = 0;
  gmg_device_enter(device);
  for (int n = 0; n < p->sources && !failed; n++) {
    const size_t bytes = cells_of(&p->source[n]) * sizeof(double);
    failed =
      GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, values, p->source[n].value, bytes, device->stream);
    values += bytes;
  }
  if (tables && !failed)
    failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, tables->at, tables->value,
                            tables->count * sizeof(int), device->stream);
  gmg_device_leave(device);
  return failed;
}

void gmg_sources_renew(struct gmg_placement *p)
{
  for (int c = 0; c < 2; c++)
    if (p->prepared_sources[c])
      upload(p, p->prepared_sources[c], NULL);
}

int gmg_sources_create(struct gmg_placement *p, int cycle)
{
  const struct gmg_cuda_kernel *kernel[2];
  if (p->prepared_sources[cycle] || gmg_sources_kernels(p, cycle, kernel) <= 0)
    return 0;
  struct gmg_prepared_sources *sources =
    calloc(1, sizeof *sources + (size_t)p->sources * sizeof sources->step[0]);
  if (!sources)
    return -1;
  struct gmg_block_tables tables = {.value = NULL};
  size_t cells = 0;
  p->prepared_sources[cycle] = sources;
  for (int n = 0; n < p->sources; n++)
    cells += cells_of(&p->source[n]);
  if (fill(p, cycle, &tables))
    return -1;
  const int64_t value_bytes = (int64_t)(cells * sizeof(double)),
                table_bytes = (int64_t)(tables.count * sizeof(int));
  sources->chunk =
    gmg_mirror_take(p->device, value_bytes + table_bytes + steps_bytes(sources) + 512);
  tables.value = calloc(tables.count, sizeof(int));
  int failed = !sources->chunk || !tables.value;
  if (!failed) {
    sources->values = gmg_mirror_piece(sources->chunk, value_bytes);
    tables.at = gmg_mirror_piece(sources->chunk, table_bytes);
    failed =
      fill(p, cycle, &tables) || place_steps(p->device, sources) || upload(p, sources, &tables);
  }
  free(tables.value);
  return failed ? -1 : 0;
}

void gmg_sources_destroy(struct gmg_placement *p, int cycle)
{
  struct gmg_prepared_sources *sources = p->prepared_sources[cycle];
  if (!sources)
    return;
  free_steps(sources);
  if (sources->chunk)
    gmg_mirror_release(p->device, &sources->chunk);
  free(sources);
  p->prepared_sources[cycle] = NULL;
}

int gmg_cuda_add_sources(struct gmg_placement *p, double scale)
{
  const struct gmg_prepared_sources *sources = p->prepared_sources[0];
  for (int n = 0; sources && n < sources->steps; n++) {
    struct gmg_level *level = sources->step[n]->level;
    const double scalar[GMG_MAX_SCALARS] = {level->precision == GMG_F32 ? scale : 1};
    gmg_newest_on_device(p->device, gmg_level_find(level, GMG_NAME_F), 1);
    gmg_queue_add(p->device->queue, sources->step[n], scalar, 0);
  }
  return sources != NULL;
}
