/* A trial of plain cycles on a part of the grid. */
#ifndef GMG_TRIAL_H
#define GMG_TRIAL_H

#include "coarsening/choose.h"

/* By what factor the last of some plain cycles reduces the residual on the cells [lower, upper),
 * with the problem's coefficients there and u = 0 around them but for the grid's own sides, from
 * noise; 0: it is gone before, 1: it does not fall. Where that is neither fast nor so slow that
 * owners are wanted, cycles that take less or more of corrections are tried, too, as averages of β
 * may be wrong by a factor. β must be on the host. The same on any ranks and boxes. Calls:
 * collective. Errors: GMG_ERR_MEMORY, GMG_ERR_MPI. */
gmg_status gmg_trial(gmg_solver *solver, const int lower[3], const int upper[3],
                     struct gmg_coarsening_found *trial);

#endif
