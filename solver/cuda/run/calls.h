/* What calls and moves do where levels are on the device. */
#ifndef GMG_CUDA_CALLS_H
#define GMG_CUDA_CALLS_H

#include "runtime/launch.h"

/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_run(struct gmg_call *call);
int gmg_cuda_move(gmg_context *context, const struct gmg_move *move);
void gmg_cuda_sample(struct gmg_call *call, int every, int first);
void gmg_cuda_reduce(gmg_context *context, struct gmg_reduction *total);
void gmg_cuda_wait(gmg_context *context);
void gmg_cuda_forget(struct gmg_call *call);

#endif
