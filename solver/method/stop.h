/* gmg_solver_stop: a request to end a solve, which the ranks agree on together with the sums of
 * each cycle. */
#ifndef GMG_STOP_H
#define GMG_STOP_H

#include "problem/solver.h"

/* From here on every sum over the ranks (gmg_comm_reduce) says whether any rank was asked to stop.
 */
void gmg_stop_begin(gmg_solver *solver);
/* Whether one was, the same on all ranks: between two sums, since gmg_stop_begin. */
int gmg_stop_agreed(const gmg_solver *solver);
/* The solve is over, and requests that came in it are too. A collective call must follow before the
 * next solve begins, so that no rank sees the requests of a rank that is late. */
void gmg_stop_end(gmg_solver *solver);

#endif
