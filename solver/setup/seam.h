/* The two end planes of a periodic axis, whose β on faces must be one. */
#ifndef GMG_SEAM_H
#define GMG_SEAM_H

#include "problem/solver.h"

/* Compares them, and makes them equal to the last bit. Calls: collective. Errors:
 * GMG_ERR_COEFFICIENT names the first face where they differ; GMG_ERR_MEMORY. */
gmg_status gmg_seam_close(gmg_solver *solver, int axis);
/* The exchange that does so: as deep as one face, across this axis alone. Calls: collective. NULL:
 * out of memory. */
struct gmg_exchange *gmg_seam_exchange(gmg_solver *solver, int axis);

#endif
