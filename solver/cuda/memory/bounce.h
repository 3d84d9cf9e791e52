/* Copies between the host's memory and the device's. Large ones go through page-locked buffers,
 * which several threads fill or empty while the last piece is on its way: the driver by itself has
 * one thread do that. */
#ifndef GMG_CUDA_BOUNCE_H
#define GMG_CUDA_BOUNCE_H

#include "cuda/runtime/device.h"

/* Bytes to the device, after all that was launched; `from` may be used again when it returns. The
 * device's context is entered. */
int gmg_bounce_to_device(struct gmg_device *device, CUdeviceptr to, const void *from, size_t bytes);
/* Bytes from the device, when all that was launched is done; they are there when it returns. */
int gmg_bounce_to_host(struct gmg_device *device, void *to, CUdeviceptr from, size_t bytes);
/* Gives the buffers back. */
void gmg_bounce_clear(struct gmg_device *device);

#endif
