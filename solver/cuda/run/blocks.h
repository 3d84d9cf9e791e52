/* Blocks of values on their way from one place of the device's memory to another: launches of a
 * generated kernel with tables that say where each value comes from. */
#ifndef GMG_CUDA_BLOCKS_H
#define GMG_CUDA_BLOCKS_H

#include "prepared.h"

/* A block: rows of `extent`, each end with a first element and strides, one of them a row's. */
struct gmg_device_block {
  int64_t to, from; /* from a component's start to the first row's element 0 */
  int to_i, from_i; /* from there along the row */
  int extent[3];
  int to_box, from_box; /* whose strides hold; -1: packed */
  double factor;
};

/* The tables of several blocks: first counted, then filled. */
struct gmg_block_tables {
  int *value; /* NULL while they are counted */
  size_t count;
  CUdeviceptr at;
};

/* Distance from even to odd cells in a box's rows; 0: rows are plain, or values packed (box -1). */
ptrdiff_t gmg_block_odd(const struct gmg_storage *storage, int box);
/* Fills in a launch of `kernel`, whose fields are y, x and the tables at_i, at_j, at_k: its first
 * two are where the components of `to` and `from` start, and are moved on. */
void gmg_block_prepare(const struct gmg_storage *to, const struct gmg_storage *from,
                       const struct gmg_device_block *block, const struct gmg_cuda_kernel *kernel,
                       struct gmg_block_tables *tables, struct gmg_launch *launch);
/* A step of so many launches of a kernel, on a level. Memory: gives it; NULL out of memory. */
struct gmg_prepared *gmg_block_step(struct gmg_device *device, struct gmg_level *level,
                                    const struct gmg_cuda_kernel *kernel, int launches);
/* Where a level array's component starts on the device. */
void *gmg_block_start(const struct gmg_level_array *array);
/* The generated kernel of that name for values of a precision in such rows; NULL: there is none. */
const struct gmg_cuda_kernel *gmg_block_kernel(const char *name, enum gmg_precision precision,
                                               int split);

#endif
