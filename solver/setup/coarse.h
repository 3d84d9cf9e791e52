/* The levels that are too small to keep a GPU busy: on the GPU, all of them in one launch, or on
 * the host's cores. */
#ifndef GMG_COARSE_H
#define GMG_COARSE_H

#include "problem/solver.h"

/* Times both ways, where the option `coarse` leaves the choice open, and takes the faster one; in
 * the first setup of a solver, once its levels are on the device. Calls: collective. Errors:
 * GMG_ERR_MEMORY, GMG_ERR_DEVICE. */
gmg_status gmg_coarse_choose(gmg_solver *solver);

#endif
