#include "tiles.h"

#include "../memory.h"

#include <stdlib.h>
#include <string.h>

enum { TILE_J = 32, TILE_K = 4, TILES_PER_THREAD = 4 };

struct gmg_tile *gmg_tiles_make(const struct gmg_kernel_box *box, int boxes, const int extra[3], int threads,
                                int *count)
{
  int tile_k = TILE_K, tile_j = TILE_J;
  struct gmg_tile *tiles = NULL;
  for (;;) {
    *count = 0;
    for (int b = 0; b < boxes; b++) {
      const int nj = box[b].cells[1] + extra[1], nk = box[b].cells[2] + extra[2];
      for (int k = 0; k < nk; k += tile_k)
        for (int j = 0; j < nj; j += tile_j, ++*count)
          if (tiles)
            tiles[*count] =
              (struct gmg_tile){b, j, j + tile_j < nj ? j + tile_j : nj, k, k + tile_k < nk ? k + tile_k : nk, NULL};
    }
    if (tiles)
      return tiles;
    if (*count < TILES_PER_THREAD * threads && threads > 1 && tile_k > 1) {
      tile_k /= 2;
      continue;
    }
    tiles = gmg_malloc(((size_t)*count + 1) * sizeof *tiles);
    if (!tiles)
      return NULL;
  }
}

static void zero(const struct gmg_storage *storage, void *data, int64_t from, int64_t to)
{
  const size_t bytes = storage->element_bytes;
  memset((char *)data + (size_t)from * bytes, 0, (size_t)(to - from) * bytes);
}

void gmg_first_touch(const struct gmg_storage *storage, const struct gmg_kernel_box *box, int threads, void *data)
{
  const int extra[3] = {0, 0, 0};
  int tiles = 0;
  struct gmg_tile *tile = gmg_tiles_make(box, storage->layout->local_count, extra, threads, &tiles);
  if (!tile) {
    zero(storage, data, 0, storage->elements);
    return;
  }
  /* Rows with the padding behind them; behind the last row of a plane, the ghost rows before the next. */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (int t = 0; t < tiles; t++)
    for (int k = tile[t].k0; k < tile[t].k1; k++) {
      const int b = tile[t].box, last = tile[t].j1 == box[b].cells[1] && k + 1 < box[b].cells[2];
      const ptrdiff_t *stride = storage->stride[b];
      const int64_t plane = storage->origin[b] + k * stride[1];
      zero(storage, data, plane + tile[t].j0 * stride[0], plane + (last ? stride[1] : tile[t].j1 * stride[0]));
    }
  /* Ghost planes, before, between and behind the boxes. */
  int64_t end = 0;
  for (int b = 0; b < storage->layout->local_count; b++) {
    const int *cells = box[b].cells;
    zero(storage, data, end, storage->origin[b]);
    end = storage->origin[b] + (cells[2] - 1) * storage->stride[b][1] + cells[1] * storage->stride[b][0];
  }
  zero(storage, data, end, storage->elements);
  gmg_free(tile);
}
