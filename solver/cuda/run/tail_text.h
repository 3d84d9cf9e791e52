/* The text of the coarse tail's kernel (tail.h): the generated kernels, and what walks the list of
 * operations. */
#ifndef GMG_CUDA_TAIL_TEXT_H
#define GMG_CUDA_TAIL_TEXT_H

#include "cuda/runtime/cuda_kernel.h"

/* An operation of the list, as the text has it. */
struct gmg_tail_operation {
  int kernel; /* place in the switch */
  /* the first so many thread blocks run it; where it is one, the others wait for it later */
  int blocks;
  int each; /* threads of each of them that have something to do */
  int wait; /* after it: 1 for all thread blocks, 0 for the own one's threads alone */
  /* of one on many boxes, by args.table: how many, thread blocks for each of them at a time, and
   * bytes of the table for each; 0 boxes: args are those of its box */
  int boxes, share, record_bytes;
  struct gmg_cuda_args args;
};

/* Memory that will be read, asked for when the launch begins. */
struct gmg_tail_range {
  uint64_t first, bytes;
};

/* By value to the kernel: addresses in the device's memory. */
struct gmg_tail_args {
  uint64_t operation, barrier, clock; /* clock: 0, or where the times go */
  uint64_t range;
  int operations, ranges;
};

/* The text, by kernels in the order of their places, for thread blocks of so many threads. Memory:
 * gives it; NULL out of memory. */
char *gmg_tail_text(const struct gmg_cuda_kernel *const *kernel, int kernels, int threads);

#endif
