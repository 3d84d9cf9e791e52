#include "exchange.h"
#include "layout.h"

#include <stdlib.h>

enum { LINE_BYTES = 64, PAGE_BYTES = 4096 };

static int64_t round_up(int64_t n, int64_t unit)
{
  return (n + unit - 1) / unit * unit;
}

static struct gmg_storage *create(const struct gmg_layout *layout, int ghost, size_t element_bytes)
{
  const size_t count = (size_t)layout->local_count + 1;
  struct gmg_storage *storage = calloc(1, sizeof *storage);
  if (!storage)
    return NULL;
  storage->layout = layout;
  storage->ghost = ghost;
  storage->element_bytes = element_bytes;
  storage->step = 1;
  storage->origin = calloc(count, sizeof *storage->origin);
  storage->stride = calloc(count, sizeof *storage->stride);
  if (!storage->origin || !storage->stride)
    gmg_storage_destroy(&storage);
  return storage;
}

/* Rows start on a cache line, and the ghosts below a row lie in the padding behind the row before. Long rows are an odd
 * number of lines, and planes no multiple of a page, so that neighbours in j and k fall into different cache sets. */
struct gmg_storage *gmg_storage_create(const struct gmg_layout *layout, int ghost, size_t element_bytes)
{
  struct gmg_storage *storage = create(layout, ghost, element_bytes);
  if (!storage)
    return NULL;
  const int64_t line = LINE_BYTES / (int64_t)element_bytes;
  for (int b = 0; b < layout->local_count; b++) {
    const struct gmg_box *box = &layout->box[layout->local[b]];
    int64_t extent[3];
    for (int d = 0; d < 3; d++)
      extent[d] = box->upper[d] - box->lower[d] + 2 * (int64_t)ghost;
    int64_t row = round_up(extent[0], line);
    if (row / line >= 16 && row / line % 2 == 0)
      row += line;
    int64_t plane = row * extent[1];
    if (extent[1] >= 16 && plane * (int64_t)element_bytes % PAGE_BYTES == 0)
      plane += row;
    storage->stride[b][0] = (ptrdiff_t)row;
    storage->stride[b][1] = (ptrdiff_t)plane;
    storage->origin[b] = storage->elements + round_up(ghost, line) + ghost * (row + plane);
    storage->elements += round_up(ghost, line) + plane * extent[2];
  }
  return storage;
}

struct gmg_storage *gmg_storage_view(const struct gmg_layout *bricks, const ptrdiff_t stride[3])
{
  struct gmg_storage *storage = create(bricks, 0, sizeof(double));
  if (!storage)
    return NULL;
  storage->step = stride[0];
  storage->stride[0][0] = stride[1];
  storage->stride[0][1] = stride[2];
  return storage;
}

void gmg_storage_destroy(struct gmg_storage **storage)
{
  if (!storage || !*storage)
    return;
  free((*storage)->origin);
  free((*storage)->stride);
  free(*storage);
  *storage = NULL;
}
