/* Which levels the device computes, and which of them in the coarse tail. */
#ifndef GMG_CUDA_WHERE_H
#define GMG_CUDA_WHERE_H

#include "problem/solver.h"

/* Whether a level is small enough for the coarse tail, or for the host. */
int gmg_where_coarse(const struct gmg_solver *solver, const struct gmg_level *level);
/* Whether a box has more elements than kernels count, in 32 bits; then why says so. */
int gmg_where_too_large(const struct gmg_solver *solver, char *why, size_t size);
/* Says in words how ghosts travel, by what was made for the device and what was left to the host. */
void gmg_where_exchanges(struct gmg_placement *placement);

#endif
