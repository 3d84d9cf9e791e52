/* Memory for lists of launches, taken in the first setup on the device: a solve that meets a new
 * list allocates nothing. Pieces are taken in order, and all are given back together. */
#ifndef GMG_CUDA_ROOM_H
#define GMG_CUDA_ROOM_H

#include "cuda/runtime/device.h"

enum { GMG_ROOM_PIECE = 512 << 10 }; /* bytes of each kind that one list may take: several fit */

/* What it would take of the device's memory: 0 once it is there. */
int64_t gmg_rooms_wanted(const struct gmg_device *device);
/* Takes the memory, once. Returns -1 where there is none, which is no error of the device. */
int gmg_rooms_open(struct gmg_device *device);
void gmg_rooms_close(struct gmg_device *device);
/* A piece on a boundary of 64 bytes; NULL, 0: there is no room. Of the host's memory all zero; of
 * page-locked memory of the host; of the device's memory. */
void *gmg_rooms_host(struct gmg_device *device, size_t bytes);
void *gmg_rooms_locked(struct gmg_device *device, size_t bytes);
CUdeviceptr gmg_rooms_device(struct gmg_device *device, size_t bytes);
/* Whether there was no room for a piece since all were freed. */
int gmg_rooms_full(const struct gmg_device *device);
/* All pieces are free again. */
void gmg_rooms_clear(struct gmg_device *device);

#endif
