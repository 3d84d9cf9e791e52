/* Looks at the caller's values in the device's memory, by the sums of operators/range.c. */
#ifndef GMG_CUDA_LOOK_H
#define GMG_CUDA_LOOK_H

#include "cuda/runtime/device.h"
#include "runtime/backend.h"

/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_look(gmg_context *context, const struct gmg_look *look, double *most, double *count);

#endif
