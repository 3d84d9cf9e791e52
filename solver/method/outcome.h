/* How far a solve has come, and when it is over: converged, at the limit of rounding, diverged,
 * stalled, not finite. */
#ifndef GMG_OUTCOME_H
#define GMG_OUTCOME_H

#include "problem/solver.h"

/* Where a solve stands between two cycles, in the words of cycle/precision.h:
 *
 *   AT_U → DOWN_FROM_U → DOWN_FROM_U …                       cycles in double
 *   AT_U → AT_RESIDUAL → AHEAD_OF_U → AHEAD_OF_U …           cycles in single precision
 *          AT_RESIDUAL, AHEAD_OF_U, DOWN_FROM_RESIDUAL → DOWN_FROM_RESIDUAL     u takes z'
 *          DOWN_FROM_RESIDUAL → AHEAD_OF_U                   the next cycle
 *   any phase → AT_U          double precision from here on, or a guess that is dropped
 *
 * On one level there is no way down: AT_U stays, and u takes z' with AT_RESIDUAL. */
enum gmg_phase {
  GMG_AT_U,               /* the next cycle begins with u */
  GMG_DOWN_FROM_U,        /* the way down of the next cycle is done */
  GMG_AT_RESIDUAL,        /* r' is the residual of u, and z' = 0 */
  GMG_DOWN_FROM_RESIDUAL, /* also, the way down from r' is done */
  GMG_AHEAD_OF_U          /* z' holds what u lacks, the way down is done, the norm is an estimate */
};

/* What one solve keeps track of. */
struct gmg_progress {
  enum gmg_phase phase;
  double begin, reference, tolerance;
  int raised_after;         /* cycles, to double, or begun anew; 0: it was not */
  double limit, limit_norm; /* what rounding leaves, measured at that norm; 0: it was not */
  double anchor;            /* the true norm that z' began from */
  double factor;            /* by which a cycle is expected to change the norm */
  const gmg_array *guess;
  gmg_result result;
};

/* Adds to the reason. */
void gmg_outcome_say(gmg_solver *solver, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
/* The residual norm that rounding the solution to double leaves, below which no solver gets: about
 * 0.22 · 2⁻⁵³ ‖|A| |u|‖ (over the cases of `gmg make` solves end at 0.6 to 1.7 times that), and
 * parts of the right side and of the mean that was taken off it. Changes nothing, and costs as much
 * as a residual. Calls: collective. */
double gmg_outcome_limit(gmg_solver *solver, const struct gmg_progress *progress);
/* Records the norm after `cycle` iterations. Returns 1 where the solve is over: its outcome and the
 * reason say how. */
int gmg_outcome_note(gmg_solver *solver, struct gmg_progress *progress, int cycle, double norm);
/* Whether the residual stalls, or early on has not fallen, or grew to more than jumps of β make it.
 */
int gmg_outcome_grows(const gmg_solver *solver, const struct gmg_progress *progress, int cycle);
/* Why single precision must be given up after a note (over: what that returned); NULL: it need not.
 */
const char *gmg_outcome_too_low(const gmg_solver *solver, const struct gmg_progress *progress,
                                int cycle, int over);

#endif
