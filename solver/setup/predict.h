/* How much memory a setup and the solves after it will hold, known from the plan before any field
 * is taken. */
#ifndef GMG_PREDICT_H
#define GMG_PREDICT_H

#include "problem/solver.h"

/* The most that this rank will hold at once: solver->memory is planned, coefficients were given,
 * none is taken in yet. */
int64_t gmg_predict_peak(const gmg_solver *solver);
/* The most that a setup holds which takes coefficients in again, while the levels are there. */
int64_t gmg_predict_again(const gmg_solver *solver);
/* Refuses what the process or the machine cannot hold: `need` more bytes on this rank, of `total`.
 * Calls: collective. Errors: GMG_ERR_MEMORY, with both numbers and what limits. */
gmg_status gmg_predict_check(gmg_solver *solver, int64_t need, int64_t total);
/* Refuses, before anything is planned, a grid that takes long to plan and of which this rank's
 * share of u and f alone, in single precision, is too large for the host. Calls, errors: as above.
 */
gmg_status gmg_predict_check_least(gmg_solver *solver);

#endif
