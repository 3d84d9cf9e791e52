/* What is prepared for the device: of calls and moves, which function runs in which grid on which
 * box with which arguments. */
#ifndef GMG_CUDA_PREPARED_H
#define GMG_CUDA_PREPARED_H

#include "cuda/runtime/device.h"
#include "runtime/launch.h"

/* A kernel on one box. */
struct gmg_launch {
  unsigned grid[3];
  struct gmg_cuda_args args; /* scalars are those of the last run */
};

/* A call: launches of one kernel, in any order. */
struct gmg_prepared {
  struct gmg_level *level;
  const struct gmg_call *call; /* NULL: a step of a move */
  struct gmg_kernel_stat *stat;
  const struct gmg_loaded *kernel;
  const struct gmg_cuda_shape *shape;
  double traffic; /* bytes that it moves */
  int in_tail;    /* 1: it may run in the coarse tail */
  /* what it needs to run with the next half-sweep at once (pairs.h); NULL: it does not */
  struct gmg_staged_pass *pass;
  int launches;
  struct gmg_launch launch[];
};

/* A run of a call, in a list of them. */
struct gmg_entry {
  struct gmg_prepared *prepared;
  double scalar[GMG_MAX_SCALARS];
  int reduces; /* 1: into the device's sums */
};

/* A move between two arrays. Steps follow one another: first what packs values for other ranks,
 * then what is copied on this one, then what unpacks those of others, and walls. Messages go
 * through page-locked memory of the host, or directly between devices. */
struct gmg_prepared_move {
  struct gmg_exchange *exchange;
  int packs, locals; /* steps */
  CUdeviceptr d_send, d_receive;
  void *send, *receive; /* page-locked; or where that is direct, d_send and d_receive */
  int direct;
  struct gmg_peers *peers; /* NULL: no message goes from device to device (peers.h) */
  size_t send_bytes, receive_bytes;
  const struct gmg_level_array *from, *to; /* NULL: the caller's array, */
  ptrdiff_t stride[3];                     /* with these strides */
  struct gmg_chunk *tables;
  int steps;
  struct gmg_prepared **step;
  struct gmg_prepared_move *next;
};

/* Memory: gives it; NULL out of memory. The kernel is loaded, and the arrays have their copies. */
struct gmg_prepared *gmg_prepared_create(struct gmg_device *device, const struct gmg_call *call);
void gmg_prepared_destroy(struct gmg_prepared **prepared);
/* Describes its n-th launch, with arguments that stay the caller's. */
void gmg_prepared_node(const struct gmg_prepared *prepared, int n, void **argument,
                       CUDA_KERNEL_NODE_PARAMS *node);
/* Launches what is described, outside all lists. */
void gmg_prepared_launch(struct gmg_device *device, const CUDA_KERNEL_NODE_PARAMS *node,
                         const char *symbol);

#endif
