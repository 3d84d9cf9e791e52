/* A first look at how large the terms of a sum are: the kernel on some planes of cells only. */
#ifndef GMG_OPENMP_SAMPLE_H
#define GMG_OPENMP_SAMPLE_H

#include "launch.h"

/* Runs a call that reduces on every sixteenth plane along k, by global index, so that the result is
 * the same for any decomposition; gmg_call_reduce_end gives it. For kernels that read no ghosts.
 * Returns 0, and has run nothing, where the level is too small for it to pay, or the call exchanges
 * ghosts. */
int gmg_call_reduce_sample(struct gmg_call *call, const double cut[GMG_SUM_BINS]);

#endif
