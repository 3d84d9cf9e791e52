#include "exchange.h"
#include "layout.h"
#include "system/memory.h"
#include "strides.h"

#include <string.h>

enum { LINE_BYTES = 64 };

static int64_t round_up(int64_t n, int64_t unit)
{
  return (n + unit - 1) / unit * unit;
}

static struct gmg_storage *create(const struct gmg_layout *layout, int ghost, size_t element_bytes)
{
  const size_t count = (size_t)layout->local_count + 1;
  struct gmg_storage *storage = gmg_calloc(1, sizeof *storage);
  if (!storage)
    return NULL;
  storage->layout = layout;
  storage->ghost = ghost;
  storage->element_bytes = element_bytes;
  storage->step = 1;
  storage->origin = gmg_calloc(count, sizeof *storage->origin);
  storage->stride = gmg_calloc(count, sizeof *storage->stride);
  storage->odd = gmg_calloc(count, sizeof *storage->odd);
  if (!storage->origin || !storage->stride || !storage->odd)
    gmg_storage_destroy(&storage);
  return storage;
}

/* Ghosts of a box on a side (0 low, 1 high). */
static int ghosts_of(const struct gmg_storage *storage, const struct gmg_box *box, int d, int side,
                     const int periodic[3])
{
  const int at_wall = side ? box->upper[d] == storage->layout->cells[d] : box->lower[d] == 0;
  const int deep = storage->overlap > storage->ghost && d > 0 && (!at_wall || periodic[d]);
  return deep ? storage->overlap : storage->ghost;
}

struct gmg_storage *gmg_storage_create(const struct gmg_layout *layout, int ghost, int overlap,
                                       const int periodic[3], size_t element_bytes,
                                       enum gmg_rows rows)
{
  struct gmg_storage *storage = create(layout, ghost, element_bytes);
  if (!storage)
    return NULL;
  storage->overlap = overlap;
  const int64_t line = LINE_BYTES / (int64_t)element_bytes;
  for (int b = 0; b < layout->local_count; b++) {
    const struct gmg_box *box = &layout->box[layout->local[b]];
    int64_t extent[3], low[3];
    for (int d = 0; d < 3; d++) {
      low[d] = ghosts_of(storage, box, d, 0, periodic);
      extent[d] = box->upper[d] - box->lower[d] + low[d] + ghosts_of(storage, box, d, 1, periodic);
    }
    const struct gmg_strides s =
      gmg_strides_of(extent[0] - 2 * (int64_t)ghost, ghost, extent[1], element_bytes, rows);
    storage->odd[b] = s.odd;
    storage->stride[b][0] = s.row;
    storage->stride[b][1] = s.plane;
    storage->origin[b] =
      storage->elements + round_up(ghost, line) + low[1] * s.row + low[2] * s.plane;
    storage->elements += round_up(round_up(ghost, line) + s.plane * extent[2] + s.padding, line);
  }
  return storage;
}

struct gmg_storage *gmg_storage_twin(const struct gmg_storage *storage, size_t element_bytes)
{
  struct gmg_storage *twin = create(storage->layout, storage->ghost, element_bytes);
  if (!twin)
    return NULL;
  twin->overlap = storage->overlap;
  const size_t count = (size_t)storage->layout->local_count;
  memcpy(twin->origin, storage->origin, count * sizeof *twin->origin);
  memcpy(twin->stride, storage->stride, count * sizeof *twin->stride);
  memcpy(twin->odd, storage->odd, count * sizeof *twin->odd);
  twin->elements = storage->elements;
  return twin;
}

struct gmg_storage *gmg_storage_view(const struct gmg_layout *bricks, const ptrdiff_t stride[3])
{
  struct gmg_storage *storage = create(bricks, 0, sizeof(double));
  if (!storage)
    return NULL;
  storage->view = 1;
  gmg_storage_see(storage, stride);
  return storage;
}

void gmg_storage_see(struct gmg_storage *view, const ptrdiff_t stride[3])
{
  view->step = stride[0];
  view->stride[0][0] = stride[1];
  view->stride[0][1] = stride[2];
}

void gmg_storage_destroy(struct gmg_storage **storage)
{
  if (!storage || !*storage)
    return;
  gmg_free((*storage)->origin);
  gmg_free((*storage)->stride);
  gmg_free((*storage)->odd);
  gmg_free(*storage);
  *storage = NULL;
}
