/* Calls made ready for the device: which function runs in which grid on which box with which
 * arguments. */
#ifndef GMG_CUDA_READY_H
#define GMG_CUDA_READY_H

#include "cuda/runtime/device.h"

/* A kernel on one box. */
struct gmg_launch {
  unsigned grid[3];
  struct gmg_cuda_args args; /* scalars are those of the last run */
};

/* A call: launches of one kernel, in any order. */
struct gmg_ready {
  struct gmg_level *level;
  const struct gmg_call *call; /* NULL: a step of a move */
  struct gmg_kernel_stat *stat;
  const struct gmg_loaded *kernel;
  const struct gmg_cuda_shape *shape;
  double traffic; /* bytes that it moves */
  double bytes;   /* compulsory, all launches together */
  int in_tail;    /* 1: it may run in the coarse tail */
  /* what it needs to run with the next half-sweep at once (pairs.h); NULL: it does not */
  struct gmg_pass *pass;
  int launches;
  struct gmg_launch launch[];
};

/* Memory: gives it; NULL out of memory. The kernel is loaded, and the arrays have their copies. */
struct gmg_ready *gmg_ready_create(struct gmg_device *device, const struct gmg_call *call);
void gmg_ready_destroy(struct gmg_ready **ready);
/* One launch of a ready call: its function and the shape of its thread blocks. */
CUfunction gmg_ready_function(const struct gmg_ready *ready);
/* Its n-th launch with those arguments, which stay the caller's. */
void gmg_ready_node(const struct gmg_ready *ready, int n, void **argument,
                    CUDA_KERNEL_NODE_PARAMS *node);

#endif
