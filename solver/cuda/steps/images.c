/* Ghosts beyond walls: one launch of `reflect` (operators/move.c), with tables on the device. */
#include "prepare.h"

#include "cuda/memory/mirror.h"
#include "cuda/run/blocks.h"

#include <stdlib.h>
#include <string.h>

/* Where the tables are on the device. */
struct tables {
  CUdeviceptr source, sign, constant;
};

/* Numbers as the arrays' values are held. */
static void convert(const struct gmg_stepping *s, char *to, const double *from, int count)
{
  const size_t bytes = (size_t)s->storage->element_bytes;
  for (int n = 0; n < count; n++) {
    const float single = (float)from[n];
    memcpy(to + (size_t)n * bytes, bytes == sizeof single ? (const void *)&single : &from[n],
           bytes);
  }
}

/* Returns -1 out of memory, the device's or the host's. */
static int upload(struct gmg_stepping *s, const struct gmg_images_launch *l, struct tables *tables)
{
  const size_t line = (size_t)l->entries * (size_t)s->storage->element_bytes,
               bytes = 2 * line + (size_t)l->entries * sizeof *l->source;
  char *table = malloc(bytes + 1); /* for a moment */
  tables->sign = table ? gmg_placed_piece(s, (int64_t)bytes) : 0;
  tables->constant = tables->sign + line;
  tables->source = tables->constant + line;
  int failed = !tables->sign;
  if (!failed) {
    convert(s, table, l->sign, l->entries);
    convert(s, table + line, l->constant, l->entries);
    memcpy(table + 2 * line, l->source, (size_t)l->entries * sizeof *l->source);
    gmg_device_enter(s->device);
    failed =
      GMG_DEVICE_TRY(s->device, cuMemcpyHtoDAsync, tables->sign, table, bytes, s->device->stream);
    gmg_device_synchronize(s->device);
    gmg_device_leave(s->device);
  }
  free(table);
  return failed ? -1 : 0;
}

static void *entry(CUdeviceptr table, int number, size_t bytes)
{
  return (void *)(uintptr_t)(table + (size_t)number * bytes); /* of the device */
}

static void add_images(const struct gmg_stepping *s, struct gmg_prepared *prepared,
                       const struct gmg_images *images, const struct tables *tables)
{
  const ptrdiff_t *stride = s->storage->stride[images->box],
                  first =
                    images->from[0] + images->from[1] * stride[0] + images->from[2] * stride[1];
  const size_t bytes = (size_t)s->storage->element_bytes;
  char *element = gmg_placed_element(s, images->array, images->box);
  struct gmg_cuda_args args = {
    .box = {.stride = {stride[0], stride[1]}, .other_stride = {stride[0], stride[1]}},
    .field = {element + first * (ptrdiff_t)bytes, element}};
  for (int d = 0; d < 3; d++) {
    args.box.cells[d] = images->to[d] - images->from[d];
    args.field[2 + d] = entry(tables->source, images->start[d], sizeof(int));
    args.field[5 + d] = entry(tables->sign, images->start[d], bytes);
    args.field[8 + d] = entry(tables->constant, images->start[d], bytes);
  }
  gmg_prepared_add(prepared, &args);
}

struct gmg_launch *gmg_steps_images(struct gmg_stepping *s, const struct gmg_images_launch *l)
{
  struct tables tables;
  struct gmg_launch launch = {.arrays = 0};
  if (!upload(s, l, &tables))
    launch.prepared =
      gmg_block_step(s->device, &s->placed->level, gmg_steps_mover(s, "reflect"), l->count, 1);
  if (!launch.prepared) {
    gmg_device_failed(s->device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "images beyond walls");
    return NULL;
  }
  for (int n = 0; n < l->count; n++) {
    add_images(s, launch.prepared, &l->images[n], &tables);
    if (n && l->images[n].array == l->images[n - 1].array)
      continue;
    launch.array[launch.arrays] = l->images[n].array;
    launch.written[launch.arrays++] = 1;
  }
  return gmg_steps_finish(s, &launch);
}
