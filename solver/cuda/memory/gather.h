/* Small copies to the device, gathered: those to places that follow one another become one. */
#ifndef GMG_CUDA_GATHER_H
#define GMG_CUDA_GATHER_H

#include "cuda/runtime/device.h"

enum { GMG_GATHER_BYTES = 64 * 1024 };

/* What waits to be copied to `at`. Zero but for the device at first. */
struct gmg_gather {
  struct gmg_device *device;
  CUdeviceptr at;
  size_t bytes;
  char buffer[GMG_GATHER_BYTES];
};

/* Copies bytes to the device, at once or later; `from` may be used again when it returns. What lies
 * between the last place and this one is overwritten where both are less than `gap` bytes apart. */
void gmg_gather_add(struct gmg_gather *gather, CUdeviceptr to, const void *from, size_t bytes,
                    size_t gap);
/* Copies what waits; the buffer may be freed when it returns. */
void gmg_gather_flush(struct gmg_gather *gather);

#endif
