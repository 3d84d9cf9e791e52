/* Opens the device of a rank, with what runs its lists. */
#ifndef GMG_CUDA_OPEN_H
#define GMG_CUDA_OPEN_H

#include "runtime/backend.h"

/* Of the table of functions (runtime/backend.h). */
struct gmg_device *gmg_cuda_open(gmg_context *context, struct gmg_device_info *info);
void gmg_cuda_close(gmg_context *context);

#endif
