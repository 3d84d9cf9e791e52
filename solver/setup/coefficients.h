/* Coefficients: checked and copied as they come in; at setup turned into what the operator's
 * kernels read, on every level. */
#ifndef GMG_COEFFICIENTS_H
#define GMG_COEFFICIENTS_H

#include "problem/solver.h"

/* What the coefficients and the boundary decide: uniform α or not, singular or not, operator; looks
 * at those that are taken in. Calls: collective. */
gmg_status gmg_coefficients_choose(struct gmg_problem *problem, int take);
/* The finest level's β from what is given: on faces, averaged or 1; the boundary's part of the
 * right side while β is still β, unless values are kept (problem.h); then conductances. And its a
 * α. Calls: collective. */
gmg_status gmg_coefficients_finest_beta(gmg_solver *solver);
gmg_status gmg_coefficients_finest_alpha(gmg_solver *solver);
/* Fills alpha, beta, dinv and the boundary sources of all levels; on levels that were filled
 * before, from what is taken in. Calls: collective. */
gmg_status gmg_coefficients_compute(gmg_solver *solver, int take);

#endif
