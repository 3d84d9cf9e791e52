/* Memory of the device, and the copies of level arrays there: byte for byte, so that kernel boxes
 * hold there too. */
#ifndef GMG_CUDA_MIRROR_H
#define GMG_CUDA_MIRROR_H

#include "cuda/runtime/device.h"
#include "runtime/level.h"

/* A multiple of what places begin at. */
int64_t gmg_mirror_aligned(int64_t bytes);
/* What the copy of an array takes. */
int64_t gmg_mirror_bytes(const struct gmg_level_array *array);
/* Free and total memory of the device now. */
void gmg_mirror_room(struct gmg_device *device, int64_t *available, int64_t *total);
/* Takes memory for so many bytes of copies; NULL where there is none, which is no error of the
 * device. */
struct gmg_chunk;
struct gmg_chunk *gmg_mirror_take(struct gmg_device *device, int64_t bytes);
/* Gives back this chunk and those taken before. */
void gmg_mirror_release(struct gmg_device *device, struct gmg_chunk **chunk);
/* Chains a chunk before others. */
void gmg_mirror_chain(struct gmg_chunk *chunk, struct gmg_chunk *before);
/* Gives an array its place, and its values there, when what is gathered has been copied: those of
 * the host, or zeros. */
struct gmg_gather;
void gmg_mirror_place(struct gmg_gather *gather, CUdeviceptr at, struct gmg_level_array *array,
                      int zero);
/* Zeroes, if there is anything. */
void gmg_mirror_clear(struct gmg_device *device, CUdeviceptr at, int64_t bytes);
/* So many bytes of a chunk. */
CUdeviceptr gmg_mirror_piece(struct gmg_chunk *chunk, int64_t bytes);
/* Where element (0, 0, 0) of box b is in the copy of an array. */
void *gmg_mirror_box(const struct gmg_level_array *array, int b);
/* Where it is in the spare array; NULL: there is none. */
void *gmg_mirror_spare(const struct gmg_level_array *array, int b);

#endif
