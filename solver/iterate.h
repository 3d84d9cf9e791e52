/* Iterations of a solve: a start by full multigrid, cycles in either precision, steps of a Krylov method. */
#ifndef GMG_ITERATE_H
#define GMG_ITERATE_H

#include "solver.h"

/* What one solve keeps track of. */
struct gmg_progress {
  double begin, reference, tolerance;
  int started; /* the next cycle's way down is done */
  /* Mixed precision: r' and z' are about u; z' holds what u still lacks; the last norm is an estimate in single precision. */
  int refining, pending, estimated;
  int raised;    /* to double, after this many cycles */
  double anchor; /* the true norm that z' began from */
  double factor; /* by which a cycle is expected to change the norm */
  const gmg_array *guess;
  gmg_result result;
};

/* Of u, or of the Krylov method's iterate. Calls: collective, as all that follow. */
double gmg_norm_of_residual(struct gmg_solver *solver);
/* One iteration, of whatever kind, after `cycle` of them. Returns the norm of the residual behind it, in mixed precision an
 * estimate (progress->estimated) unless that is near the tolerance. */
double gmg_iterate(struct gmg_solver *solver, struct gmg_progress *progress, int cycle, double norm);
/* u has all that was found. */
void gmg_iterate_end(struct gmg_solver *solver, struct gmg_progress *progress, double norm);

#endif
