#include "sources.h"

#include "blocks.h"
#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "queue.h"

#include "problem/cycles.h"
#include "problem/solver.h"

#include <stdlib.h>
#include <string.h>

struct gmg_ready_sources {
  struct gmg_chunk *chunk; /* values, tables */
  CUdeviceptr values;
  int steps;
  struct gmg_ready *step[]; /* one for every source, in the order in which the host adds them */
};

static struct gmg_level *level_of(const struct gmg_solver *s, const struct gmg_source *source)
{
  return source->level == 0 ? s->hierarchy.finest : s->hierarchy.level[source->level].level;
}

static const struct gmg_cuda_kernel *kernel_of(const struct gmg_solver *s,
                                               const struct gmg_source *source)
{
  const struct gmg_level *level = level_of(s, source);
  return gmg_block_kernel(level->precision == GMG_F64 ? "add_values" : "add_values_single", GMG_F64,
                          s->problem.rows == GMG_SPLIT);
}

int gmg_sources_kernels(const struct gmg_solver *s, const struct gmg_cuda_kernel *list[2])
{
  int count = 0;
  for (int n = 0; n < s->hierarchy.sources; n++) {
    const struct gmg_cuda_kernel *kernel = kernel_of(s, &s->hierarchy.source[n]);
    if (!kernel || s->hierarchy.source[n].level >= s->placement.host_from)
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
static struct gmg_device_block block_of(const struct gmg_solver *s, const struct gmg_source *source,
                                        size_t from)
{
  const struct gmg_storage *storage = level_of(s, source)->storage;
  struct gmg_device_block block = {.to = storage->origin[source->box],
                                   .from = (int64_t)from,
                                   .to_i = source->start[0],
                                   .to_box = source->box,
                                   .from_box = -1,
                                   .factor = 1};
  for (int d = 1; d < 3; d++)
    block.to += source->start[d] * storage->stride[source->box][d - 1];
  memcpy(block.extent, source->extent, sizeof block.extent);
  return block;
}

/* All launches; the first time the tables are only counted. */
static int fill(struct gmg_solver *s, struct gmg_ready_sources *sources, CUdeviceptr values,
                struct gmg_block_tables *tables)
{
  size_t from = 0;
  tables->count = 0;
  for (int n = 0; n < s->hierarchy.sources; n++) {
    const struct gmg_source *source = &s->hierarchy.source[n];
    struct gmg_level *level = level_of(s, source);
    const struct gmg_cuda_kernel *kernel = kernel_of(s, source);
    const struct gmg_device_block block = block_of(s, source, from);
    if (!sources->step[n])
      sources->step[n] = gmg_block_step(s->placement.device, level, kernel, 1);
    if (!sources->step[n])
      return -1;
    struct gmg_launch *launch = &sources->step[n]->launch[0];
    launch->args = (struct gmg_cuda_args){
      .field = {gmg_block_start(gmg_level_find(level, GMG_NAME_F)), (void *)(uintptr_t)values}};
    gmg_block_prepare(level->storage, NULL, &block, kernel, tables, launch);
    sources->step[n]->launches = 1;
    from += cells_of(source);
  }
  return 0;
}

static int upload_values(struct gmg_solver *s)
{
  struct gmg_device *device = s->placement.device;
  CUdeviceptr values = s->placement.sources->values;
  int failed = 0;
  gmg_device_enter(device);
  for (int n = 0; n < s->hierarchy.sources && !failed; n++) {
    const size_t bytes = cells_of(&s->hierarchy.source[n]) * sizeof(double);
    failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, values, s->hierarchy.source[n].value, bytes,
                            device->stream);
    values += bytes;
  }
  gmg_device_leave(device);
  return failed;
}

static int upload_tables(struct gmg_solver *s, const struct gmg_block_tables *tables)
{
  struct gmg_device *device = s->placement.device;
  gmg_device_enter(device);
  const int failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, tables->at, tables->value,
                                    tables->count * sizeof(int), device->stream);
  gmg_device_leave(device);
  return failed;
}

gmg_status gmg_backend_renew_sources(struct gmg_solver *s)
{
  if (!s->placement.attached)
    return GMG_OK;
  for (int n = 0; n < 2; n++) { /* of the other cycles, too */
    if (s->placement.sources)
      upload_values(s);
    gmg_cycles_exchange(s);
  }
  return gmg_device_status(s->context);
}

int gmg_sources_create(struct gmg_solver *s)
{
  const struct gmg_cuda_kernel *kernel[2];
  if (s->hierarchy.sources == 0 || gmg_sources_kernels(s, kernel) < 0)
    return 0;
  struct gmg_ready_sources *sources =
    calloc(1, sizeof *sources + (size_t)s->hierarchy.sources * sizeof sources->step[0]);
  if (!sources)
    return -1;
  struct gmg_block_tables tables = {.value = NULL};
  size_t cells = 0;
  s->placement.sources = sources;
  sources->steps = s->hierarchy.sources;
  for (int n = 0; n < s->hierarchy.sources; n++)
    cells += cells_of(&s->hierarchy.source[n]);
  if (fill(s, sources, 0, &tables))
    return -1;
  const int64_t value_bytes = (int64_t)(cells * sizeof(double)),
                table_bytes = (int64_t)(tables.count * sizeof(int));
  sources->chunk = gmg_mirror_take(s->placement.device, value_bytes + table_bytes + 512);
  tables.value = calloc(tables.count, sizeof(int));
  int failed = !sources->chunk || !tables.value;
  if (!failed) {
    sources->values = gmg_mirror_piece(sources->chunk, value_bytes);
    tables.at = gmg_mirror_piece(sources->chunk, table_bytes);
    failed =
      fill(s, sources, sources->values, &tables) || upload_values(s) || upload_tables(s, &tables);
  }
  free(tables.value);
  return failed ? -1 : 0;
}

void gmg_sources_destroy(struct gmg_solver *s)
{
  struct gmg_ready_sources *sources = s->placement.sources;
  if (!sources)
    return;
  for (int n = 0; n < sources->steps; n++)
    free(sources->step[n]);
  if (sources->chunk)
    gmg_mirror_release(s->placement.device, &sources->chunk);
  free(sources);
  s->placement.sources = NULL;
}

int gmg_device_sources(struct gmg_solver *s)
{
  const struct gmg_ready_sources *sources = s->placement.sources;
  if (!sources || !s->placement.attached)
    return 0;
  for (int n = 0; n < sources->steps; n++) {
    struct gmg_level *level = level_of(s, &s->hierarchy.source[n]);
    const double scalar[GMG_MAX_SCALARS] = {
      level->precision == GMG_F32 ? s->hierarchy.refinement.residual_scale : 1};
    gmg_mirror_need(s->placement.device, gmg_level_find(level, GMG_NAME_F), 1);
    gmg_queue_add(s->placement.device->queue, sources->step[n], scalar, 0);
  }
  return 1;
}
