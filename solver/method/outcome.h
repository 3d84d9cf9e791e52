/* How far a solve has come, and when it is over: converged, at the limit of rounding, diverged,
 * stalled, not finite. */
#ifndef GMG_OUTCOME_H
#define GMG_OUTCOME_H

#include "problem/solver.h"

/* What one solve keeps track of. */
struct gmg_progress {
  double begin, reference, tolerance;
  int started; /* the next cycle's way down is done */
  /* Mixed precision: r' and z' are about u; z' holds what u still lacks; the last norm is an
   * estimate in single precision. */
  int refining, pending, estimated;
  int raised; /* to double, after this many cycles */
  double limit,
    limit_norm;  /* what rounding leaves, as it was measured at that norm; 0: it was not */
  double anchor; /* the true norm that z' began from */
  double factor; /* by which a cycle is expected to change the norm */
  const gmg_array *guess;
  gmg_result result;
};

/* Records the norm after `cycle` iterations. Returns 1 where the solve is over: its outcome and the
 * reason say how. */
int gmg_outcome_note(struct gmg_solver *solver, struct gmg_progress *progress, int cycle,
                     double norm);
/* Why single precision must be given up after a note (over: what that returned); NULL: it need not.
 */
const char *gmg_outcome_too_low(const struct gmg_solver *solver,
                                const struct gmg_progress *progress, int cycle, int over);

#endif
