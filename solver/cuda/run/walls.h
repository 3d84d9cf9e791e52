/* Walls on the device: ghosts beyond them as moves, one launch for all that need not wait for each
 * other; and what faces there hold, read. */
#ifndef GMG_CUDA_WALLS_H
#define GMG_CUDA_WALLS_H

#include "blocks.h"

struct gmg_source;

/* Adds the steps that fill the ghosts of all boxes in the array that starts at `to`. Returns -1 out
 * of memory. */
int gmg_walls_add(struct gmg_device *device, struct gmg_level *level,
                  struct gmg_prepared_move *move, void *to, struct gmg_block_tables *tables);
/* So many steps at most. */
size_t gmg_walls_most(const struct gmg_exchange *exchange);

/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_read(gmg_context *context, struct gmg_level *level, const struct gmg_source *patch,
                  int patches);

#endif
