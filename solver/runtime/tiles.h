/* Tiles: the parts of boxes that threads share out, and memory placed to match. */
#ifndef GMG_OPENMP_TILES_H
#define GMG_OPENMP_TILES_H

#include "kernel.h"
#include "mesh/layout.h"

/* Rows and planes of a tile; 0: as usual, with fewer planes where threads would have too few. */
struct gmg_tile_shape {
  int rows, planes;
};

/* Tiles over all boxes, k slowest: contiguous runs of them are slabs. */
struct gmg_tiles {
  struct gmg_tiles *next; /* cut otherwise */
  /* 1 in a direction where a kernel visits the last faces too; they belong to the last tile */
  int extra[3];
  int threads; /* that they were cut for */
  struct gmg_tile_shape shape;
  int count;
  struct gmg_tile tile[];
};

/* Those in a list, made at its end if they are not there yet. Memory: the list's; NULL out of
 * memory. */
const struct gmg_tiles *gmg_tiles_find(struct gmg_tiles **list, const struct gmg_kernel_box *box,
                                       int boxes, const int extra[3], int threads,
                                       struct gmg_tile_shape shape);
void gmg_tiles_destroy(struct gmg_tiles **list);
/* Zeroes a component in the order in which kernels will sweep it, so that each thread touches its
 * own pages first. */
void gmg_first_touch(const struct gmg_storage *storage, const struct gmg_kernel_box *box,
                     int threads, void *data);

#endif
