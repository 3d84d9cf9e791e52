/* Both colours of Gauss-Seidel in one pass over memory (gen/emit_cuda_staged.c). A pass is out of place: where four half-sweeps of one
 * level follow one another, with nothing in between, two passes run instead, from u to its spare array and back. */
#ifndef GMG_CUDA_PAIRS_H
#define GMG_CUDA_PAIRS_H

#include "queue.h"

#include "../solver.h"

/* The unknown of a call whose half-sweeps are to run in passes, by the options, the device, its kernel and its level: it needs a spare
 * array. NULL: they are not. */
struct gmg_level_array *gmg_pairs_array(const struct gmg_solver *solver, const struct gmg_call *call);
/* What a pass needs. NULL: out of memory, or the copy engine does not take these arrays; then it is two sweeps. */
struct gmg_pass *gmg_pairs_make(struct gmg_device *device, const struct gmg_ready *ready);
/* How many entries from here on run in passes: 4, or 0. */
int gmg_pairs_length(const struct gmg_entry *entry, int entries);
/* What the launch of a pass is made of, as long as it is needed. */
struct gmg_pass_launch {
  struct gmg_cuda_args args;
  void *argument[2];
};
/* The pass of a half-sweep and the one behind it: from u to its spare array, or back. */
void gmg_pairs_describe(const struct gmg_entry *entry, int back, struct gmg_pass_launch *launch,
                        CUDA_KERNEL_NODE_PARAMS *node);

#endif
