/* What slows a solve down, measured on the levels after it: how much cycles, smoother and bottom solver leave of an error,
 * what rounding of u allows, how much a constant counts. */
#ifndef GMG_MEASURE_H
#define GMG_MEASURE_H

#include "solver.h"

/* Binds what the measurements on level l run. */
gmg_status gmg_measure_bind(struct gmg_solver *solver, int l);
/* The residual norm that rounding u, as it is on the finest level, to double leaves: about 0.22 · 2⁻⁵³ ‖|A| |u|‖; and
 * that which rounding leaves of a right side of that norm, from which that mean was taken off. Changes u and f.
 * Calls: collective. */
double gmg_measure_rounding(struct gmg_solver *solver, double right_side, double projected);
/* Fills `measured`. Changes u and f of all levels. Allocates nothing. Calls: collective. */
void gmg_measure(struct gmg_solver *solver, struct gmg_measured *measured);

#endif
