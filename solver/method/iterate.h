/* One iteration of a solve: a cycle in double or single precision, a step of a Krylov method, or
 * the start by full multigrid. */
#ifndef GMG_ITERATE_H
#define GMG_ITERATE_H

#include "outcome.h"

#define GMG_FIRST_FACTOR \
  0.1 /* what a cycle is expected to leave of the norm before any was seen \
       */

/* One iteration, after `cycle` of them. Returns the norm of the residual after it, in mixed
 * precision an estimate (GMG_AHEAD_OF_U) unless that is near the tolerance. Calls: collective, as
 * all that follow. */
double gmg_iterate(gmg_solver *solver, struct gmg_progress *progress, int cycle, double norm);
/* The norm of the residual of u, or of the Krylov method's iterate. */
double gmg_residual_norm(gmg_solver *solver);
/* Cycles in single precision start from u. Returns the true norm; size: what it is about. */
double gmg_iterate_single(struct gmg_hierarchy *hierarchy, struct gmg_progress *progress,
                          double size);
/* u takes what the cycles in single precision found, and they begin anew. Returns the true norm. */
double gmg_iterate_refined(struct gmg_hierarchy *hierarchy, struct gmg_progress *progress,
                           double size);
/* Whether the first iteration is the start by full multigrid; on one level there is nothing that a
 * correction could start from. */
int gmg_iterate_starts_full(const struct gmg_hierarchy *hierarchy,
                            const struct gmg_progress *progress);

#endif
