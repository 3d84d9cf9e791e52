/* Both colours of Gauss-Seidel in one pass over memory (gen/schedule/cuda_staged.c). A pass is out
 * of place: where four half-sweeps of one level follow one another, with nothing in between, two
 * passes run instead, from u to its spare array and back; where the first two of them start from
 * zero, they run as they are, but in the spare array, and one pass from there to u. */
#ifndef GMG_CUDA_PAIRS_H
#define GMG_CUDA_PAIRS_H

#include "prepared.h"
#include "runtime/placement.h"

/* The unknown of a call whose half-sweeps are to run in passes, by the options, the device, its
 * kernel and its level: it needs a spare array. NULL: they are not. */
struct gmg_level_array *gmg_pairs_array(const struct gmg_placement *placement,
                                        const struct gmg_call *call);
/* What a pass needs. NULL: out of memory, or the copy engine does not take these arrays; then it is
 * two sweeps. */
struct gmg_staged_pass *gmg_pairs_make(struct gmg_device *device,
                                       const struct gmg_prepared *prepared);
/* How many entries from here on run in passes: 4, or 0. */
int gmg_pairs_length(const struct gmg_entry *entry, int entries);
/* Returns how many of such four run in one launch from the n-th on: 2, or 1 where they start from
 * zero; 0 where the launch before covers the n-th. */
int gmg_pairs_together(const struct gmg_entry *four, int n);
/* What a launch is made of, as long as it is needed. */
struct gmg_pass_launch {
  struct gmg_cuda_args args;
  void *argument[2];
  const char *symbol;
};
/* The launch of those that run at once from the n-th of the four on. */
void gmg_pairs_describe(const struct gmg_entry *four, int n, struct gmg_pass_launch *launch,
                        CUDA_KERNEL_NODE_PARAMS *node);

#endif
