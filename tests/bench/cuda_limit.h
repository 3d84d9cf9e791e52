/* What bounds a kernel that takes both colours in one pass: the bytes that it cannot but move, in its tiles, which overlap by a pair and
 * a row on each side, marching as it does; nothing is computed, exchanged or waited for. */
#ifndef GMG_BENCH_CUDA_LIMIT_H
#define GMG_BENCH_CUDA_LIMIT_H

#include "cuda_trial.h"

/* Milliseconds of so many cells along each axis, by the memory of cuda_trial_prepare. */
double cuda_limit_measure(const struct cuda_trial *t, const char *architecture, int cells);

#endif
