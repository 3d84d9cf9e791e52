/* Whether coarse levels have owners (owners/), before they are planned. */
#ifndef GMG_OWNED_H
#define GMG_OWNED_H

#include "problem/solver.h"

/* By what factor plain cycles reduce the residual on a part of the grid (api/trial.h). */
typedef gmg_status gmg_owned_trial(gmg_solver *solver, const int lower[3], const int upper[3],
                                   double *factor);
/* Whether that is the solver's to choose. */
int gmg_owned_chooses(const gmg_solver *solver);
/* Decides by the options and by β, and where that has many steps by a trial, whether levels have
 * owners, and plans these. Calls: collective. Errors: GMG_ERR_OPTION, GMG_ERR_UNSUPPORTED where the
 * options ask for owners that cannot be; GMG_ERR_MEMORY. */
gmg_status gmg_owned_choose(gmg_solver *solver, gmg_owned_trial *trial);
/* Plans the levels that are expected, before β is known. */
gmg_status gmg_owned_expect(gmg_solver *solver);

#endif
