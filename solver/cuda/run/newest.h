/* Which copy of an array is the newest, the host's or the device's: what one side needs is copied
 * there when it is not the newest. */
#ifndef GMG_CUDA_NEWEST_H
#define GMG_CUDA_NEWEST_H

#include "cuda/runtime/device.h"
#include "runtime/level.h"

/* Before the device reads an array, and changes it where `written`. */
void gmg_newest_on_device(struct gmg_device *device, struct gmg_level_array *array, int written);
/* Of the table of functions (runtime/backend.h). */
void gmg_cuda_fetch(gmg_context *context, struct gmg_level_array *array, enum gmg_access access);
int gmg_cuda_clear(gmg_context *context, struct gmg_level_array *array);

#endif
