/* Where the threads of a run time run. */
#ifndef GMG_OPENMP_SPREAD_H
#define GMG_OPENMP_SPREAD_H

#include "../cores.h"

/* Lets the calling thread and those of its OpenMP regions of `threads` run on all of the cores; before[thread] takes where each
 * was allowed to. back: where they were before. */
void gmg_spread(int threads, const struct gmg_cores *cores, struct gmg_cores *before);
void gmg_spread_back(int threads, const struct gmg_cores *before);

#endif
