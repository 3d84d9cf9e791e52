/* What double precision leaves of a residual: no solver gets below that. */
#ifndef GMG_ROUNDING_H
#define GMG_ROUNDING_H

#include "problem/solver.h"

/* Binds what the estimate runs: on u, and with a Krylov method on its iterate. */
gmg_status gmg_rounding_bind(struct gmg_solver *solver);
gmg_status gmg_rounding_bind_krylov(struct gmg_solver *solver);
/* The residual norm that rounding the solution as it is now to double leaves, of a right side of
 * that norm from which that mean was taken off: about 0.22 · 2⁻⁵³ ‖|A| |u|‖ (over the cases of `gmg
 * make` solves end at 0.6 to 1.7 times that). Changes nothing, and costs as much as a residual.
 * Calls: collective. */
double gmg_rounding(struct gmg_solver *solver, double right_side, double projected);

#endif
