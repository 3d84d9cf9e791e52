/* Tiles: the parts of boxes that threads share out, and memory placed to match. */
#ifndef GMG_OPENMP_TILES_H
#define GMG_OPENMP_TILES_H

#include "../kernel.h"
#include "../layout.h"

/* Tiles over all boxes, k slowest: contiguous runs of them are slabs. extra: 1 in a direction where a kernel visits the last
 * faces too; they belong to the last tile. Memory: gives the list, of *count; NULL out of memory. */
struct gmg_tile *gmg_tiles_make(const struct gmg_kernel_box *box, int boxes, const int extra[3], int threads,
                                int *count);
/* Zeroes a component in the order in which kernels will sweep it, so that each thread touches its own pages first. */
void gmg_first_touch(const struct gmg_storage *storage, const struct gmg_kernel_box *box, int threads, void *data);

#endif
