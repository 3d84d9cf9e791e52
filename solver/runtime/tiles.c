#include "tiles.h"

#include "system/memory.h"
#include "system/order.h"

#include <limits.h>
#include <string.h>

enum { TILE_J = 32, TILE_K = 4, TILES_PER_THREAD = 4 };

static const struct gmg_tile_shape usual = {0, 0};

/* Tiles of so many rows and planes; tile NULL: only counted. Returns how many. */
static int64_t cut(const struct gmg_kernel_box *box, int boxes, const int extra[3], int rows,
                   int planes, struct gmg_tile *tile)
{
  int64_t count = 0;
  for (int b = 0; b < boxes; b++) {
    const int nj = box[b].cells[1] + extra[1], nk = box[b].cells[2] + extra[2];
    if (!tile) {
      count += ((int64_t)nj + rows - 1) / rows * ((nk + planes - 1) / planes);
      continue;
    }
    for (int k = 0; k < nk; k += planes)
      for (int j = 0; j < nj; j += rows, count++)
        tile[count] =
          (struct gmg_tile){b, j, gmg_smaller(j + rows, nj), k, gmg_smaller(k + planes, nk), NULL};
  }
  return count;
}

static struct gmg_tiles *make(const struct gmg_kernel_box *box, int boxes, const int extra[3],
                              int threads, struct gmg_tile_shape shape)
{
  const int rows = shape.rows ? shape.rows : TILE_J;
  int planes = shape.planes ? shape.planes : TILE_K;
  int64_t count;
  while ((count = cut(box, boxes, extra, rows, planes, NULL)) < TILES_PER_THREAD * threads
         && threads > 1 && planes > 1 && !shape.planes)
    planes /= 2;
  struct gmg_tiles *tiles =
    count <= INT_MAX ? gmg_malloc(sizeof *tiles + (size_t)count * sizeof *tiles->tile) : NULL;
  if (!tiles)
    return NULL;
  tiles->next = NULL;
  tiles->threads = threads;
  tiles->shape = shape;
  memcpy(tiles->extra, extra, sizeof tiles->extra);
  tiles->count = (int)cut(box, boxes, extra, rows, planes, tiles->tile);
  return tiles;
}

const struct gmg_tiles *gmg_tiles_find(struct gmg_tiles **list, const struct gmg_kernel_box *box,
                                       int boxes, const int extra[3], int threads,
                                       struct gmg_tile_shape shape)
{
  while (*list
         && (memcmp((*list)->extra, extra, sizeof(*list)->extra) != 0 || (*list)->threads != threads
             || (*list)->shape.rows != shape.rows || (*list)->shape.planes != shape.planes))
    list = &(*list)->next;
  if (!*list)
    *list = make(box, boxes, extra, threads, shape);
  return *list;
}

void gmg_tiles_destroy(struct gmg_tiles **list)
{
  for (struct gmg_tiles *next; *list; *list = next) {
    next = (*list)->next;
    gmg_free(*list);
  }
}

/* So many threads ask for pages at once, which two do faster than by writing; more of them wait for
 * one another in the kernel. */
enum { MOST_TO_TOUCH = 2 };

/* Tiles run from the first element to the last: each thread touches its part, but for a few rows.
 */
static void touch(const struct gmg_storage *storage, int threads, void *data)
{
  const int64_t bytes = storage->elements * (int64_t)storage->element_bytes;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (int t = 0; t < threads; t++)
    gmg_memory_touch((char *)data + bytes / threads * t, (size_t)(bytes / threads));
}

static void zero(const struct gmg_storage *storage, void *data, int64_t from, int64_t to)
{
  const size_t bytes = storage->element_bytes;
  memset((char *)data + (size_t)from * bytes, 0, (size_t)(to - from) * bytes);
}

void gmg_first_touch(const struct gmg_storage *storage, const struct gmg_kernel_box *box,
                     int threads, void *data)
{
  const int extra[3] = {0, 0, 0};
  struct gmg_tiles *tiles = make(box, storage->layout->local_count, extra, threads, usual);
  if (!tiles) {
    zero(storage, data, 0, storage->elements);
    return;
  }
  const struct gmg_tile *const tile = tiles->tile;
  if (threads <= MOST_TO_TOUCH
      && gmg_memory_in_small_pages((size_t)storage->elements * storage->element_bytes))
    touch(storage, threads, data);
    /* Rows with the padding after them; after the last row of a plane, the ghost rows before the
     * next. */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (int t = 0; t < tiles->count; t++)
    for (int k = tile[t].k0; k < tile[t].k1; k++) {
      const int b = tile[t].box, last = tile[t].j1 == box[b].cells[1] && k + 1 < box[b].cells[2];
      const ptrdiff_t *stride = storage->stride[b];
      const int64_t plane = storage->origin[b] + k * stride[1];
      zero(storage, data, plane + tile[t].j0 * stride[0],
           plane + (last ? stride[1] : tile[t].j1 * stride[0]));
    }
  /* Ghost planes, before, between and after the boxes. */
  int64_t end = 0;
  for (int b = 0; b < storage->layout->local_count; b++) {
    const int *cells = box[b].cells;
    zero(storage, data, end, storage->origin[b]);
    end = storage->origin[b] + (cells[2] - 1) * storage->stride[b][1]
      + cells[1] * storage->stride[b][0];
  }
  zero(storage, data, end, storage->elements);
  gmg_free(tiles);
}
