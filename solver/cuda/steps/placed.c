#include "placed.h"

#include "cuda/memory/mirror.h"

#include <stdlib.h>

enum { CHUNK = 256 << 10, MOST_BLOCKS = 65535 }; /* blocks: of a grid along j or k */

int gmg_placed_many(const struct gmg_stepping *s)
{
  const struct gmg_layout *layout = s->storage->layout;
  int many = layout->local_count > 1;
  for (int b = 0; b < layout->local_count; b++)
    for (int d = 1; d < 3; d++) {
      const struct gmg_box *box = &layout->box[layout->local[b]];
      many |= box->upper[d] - box->lower[d] + 2 * s->storage->ghost > MOST_BLOCKS;
    }
  return many;
}

CUdeviceptr gmg_placed_piece(struct gmg_stepping *s, int64_t bytes)
{
  struct gmg_placed_steps *placed = s->placed;
  const int64_t needed = gmg_mirror_aligned(bytes), taken = needed > CHUNK ? needed : CHUNK;
  if (needed > placed->left) {
    struct gmg_chunk *chunk = gmg_mirror_take(s->device, taken);
    if (!chunk)
      return 0;
    gmg_mirror_chain(chunk, placed->tables);
    placed->tables = chunk;
    placed->left = taken;
    s->bytes += taken;
  }
  placed->left -= needed;
  return gmg_mirror_piece(placed->tables, needed);
}

struct gmg_launch *gmg_placed_add(struct gmg_stepping *s, const struct gmg_launch *launch)
{
  struct gmg_launch *added = malloc(sizeof *added);
  if (!added) {
    struct gmg_prepared *prepared = launch->prepared;
    if (prepared)
      gmg_prepared_destroy(&prepared);
    gmg_device_failed(s->device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "a launch");
    return NULL;
  }
  *added = *launch;
  added->next = NULL;
  *s->placed->last = added;
  s->placed->last = &added->next;
  return added;
}

void *gmg_placed_element(const struct gmg_stepping *s, int array, int b)
{
  const uint64_t offset = (uint64_t)s->storage->origin[b] * s->storage->element_bytes;
  return (void *)(uintptr_t)(s->array[array].mirror.at + offset);
}
