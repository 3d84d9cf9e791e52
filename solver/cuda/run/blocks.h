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
};

/* The tables of several blocks: first counted, then filled. Blocks that need the same have one. */
enum { GMG_KNOWN_TABLES = 64 };
struct gmg_known_table {
  int extent, first, step, doubled;
  ptrdiff_t own, odd;
  size_t zero; /* where its entry 0 is */
};
struct gmg_block_tables {
  int *value; /* NULL while they are counted */
  size_t count;
  CUdeviceptr at;
  int tables; /* so far; the last of them are known */
  struct gmg_known_table known[GMG_KNOWN_TABLES];
};
/* Forgets what was counted, to fill them. */
void gmg_block_restart(struct gmg_block_tables *tables);

/* Distance from even to odd cells in a box's rows; 0: rows are plain, or values packed (box -1). */
ptrdiff_t gmg_block_odd(const struct gmg_storage *storage, int box);
/* Fills in the arguments of a kernel whose fields are y, x and the tables at_i, at_j, at_k: the
 * first two are where the components of `to` and `from` start, and are moved on. */
void gmg_block_prepare(const struct gmg_storage *to, const struct gmg_storage *from,
                       const struct gmg_device_block *block, struct gmg_block_tables *tables,
                       struct gmg_cuda_args *args);
/* A step with room for so many blocks, which one launch of a kernel moves, on a level; all times
 * the factor. Memory: gives it; NULL out of memory. */
struct gmg_prepared *gmg_block_step(struct gmg_device *device, struct gmg_level *level,
                                    const struct gmg_cuda_kernel *kernel, int blocks,
                                    double factor);
/* Adds a block of an exchange between components that start there. */
void gmg_block_add(struct gmg_prepared *step, const struct gmg_exchange *exchange,
                   const struct gmg_device_block *block, void *to, void *from,
                   struct gmg_block_tables *tables);
/* The kernel that moves an exchange's values to a box, or to packed ones (-1). */
const struct gmg_cuda_kernel *gmg_block_mover(const struct gmg_exchange *exchange, int to_box);
/* What its table takes of the device's memory. */
int64_t gmg_block_step_bytes(const struct gmg_prepared *step);
/* Where a level array's component starts on the device. */
void *gmg_block_start(const struct gmg_level_array *array);
/* The generated kernel of that name for values of a precision in such rows; NULL: there is none. */
const struct gmg_cuda_kernel *gmg_block_kernel(const char *name, enum gmg_precision precision,
                                               int split);

#endif
