/* Coefficients: checked and copied as they come in; at setup turned into what the operator's kernels read, on every level. */
#ifndef GMG_COEFFICIENTS_H
#define GMG_COEFFICIENTS_H

#include "solver.h"

/* What the coefficients and the boundary decide: uniform α or not, singular or not, operator. Calls: collective. */
gmg_status gmg_coefficients_choose(struct gmg_solver *solver);
/* Whether a coefficient of an earlier setup has not been given again. */
int gmg_coefficients_lost(const struct gmg_solver *solver);
/* Fills alpha, beta, dinv and the boundary sources of all levels; on levels that were filled before, from what was given
 * since. Calls: collective. */
gmg_status gmg_coefficients_compute(struct gmg_solver *solver);

#endif
