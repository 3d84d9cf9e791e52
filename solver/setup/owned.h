/* Whether coarse levels have owners (owners/), before they are planned. */
#ifndef GMG_OWNED_H
#define GMG_OWNED_H

#include "problem/solver.h"

/* Decides by the options and by β whether levels have owners, and plans these. Calls: collective.
 * Errors: GMG_ERR_OPTION, GMG_ERR_UNSUPPORTED where the options ask for owners that cannot be;
 * GMG_ERR_MEMORY. */
gmg_status gmg_owned_choose(gmg_solver *solver);
/* Plans the levels that are expected, before β is known. */
gmg_status gmg_owned_expect(gmg_solver *solver);
/* For new values on levels that there are: plans owners from those that are taken in. *same: 1
 * where the levels stay. Calls: collective. */
gmg_status gmg_owned_renew(gmg_solver *solver, int take, int *same);

#endif
