/* The caller's arrays: in the device's memory or in the host's, which their addresses tell. */
#ifndef GMG_CUDA_CALLER_H
#define GMG_CUDA_CALLER_H

#include "runtime/placement.h"

/* Before the caller's arrays on the device are used: after what its stream has; NULL: none. */
void gmg_caller_await(struct gmg_device *device, void *stream);
/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_holds(gmg_context *context, const void *values);
double *gmg_cuda_allocate(gmg_context *context, size_t bytes);
void gmg_cuda_free(gmg_context *context, double *values);
void gmg_cuda_copy(struct gmg_placement *placement, const double *from, double *to, size_t bytes);
gmg_status gmg_cuda_carry(struct gmg_placement *placement, struct gmg_exchange *exchange,
                          struct gmg_level_array *field, double *values, size_t bytes);

#endif
