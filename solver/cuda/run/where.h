/* Which levels the device computes, and which of them in the coarse tail. */
#ifndef GMG_CUDA_WHERE_H
#define GMG_CUDA_WHERE_H

#include "problem/solver.h"

/* Whether a level is small enough for the coarse tail, or for the host. */
int gmg_where_coarse(const struct gmg_solver *solver, const struct gmg_level *level);
/* Whether the program of the coarse tail computes a level; of the cycles that there are now, as
 * others would only make it slower. */
int gmg_where_in_tail(const struct gmg_solver *solver, const struct gmg_level *level);
int gmg_where_call_in_tail(const struct gmg_solver *solver, const struct gmg_call *call);
/* Whether a solve may go on with other cycles. */
int gmg_where_has_other(const struct gmg_solver *solver);
/* Whether a box has more elements than kernels count, in 32 bits; then why says so. */
int gmg_where_too_large(const struct gmg_solver *solver, char *why, size_t size);
/* Says in words how ghosts travel, by what was made for the device and what was left to the host.
 */
void gmg_where_exchanges(struct gmg_placement *placement);

#endif
