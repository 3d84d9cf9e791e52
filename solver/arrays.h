/* The caller's arrays: the part of the grid that each rank hands over, and how values go from there to the finest level's
 * boxes and back. */
#ifndef GMG_ARRAYS_H
#define GMG_ARRAYS_H

#include "solver.h"

/* Which part each rank hands over: checks that the parts tile the grid. Calls: collective. */
gmg_status gmg_arrays_bricks(struct gmg_solver *solver);
/* The exchange between a dense or strided array of this rank's part and the finest level (which: 0 to the level, 1 back). Made
 * anew only if the strides on any rank differ from the last ones. Calls: collective. */
gmg_status gmg_arrays_view(struct gmg_solver *solver, int which, const ptrdiff_t stride[3]);
/* The caller's array into u of the finest level, and back. An MPI failure while values travel stays in the context.
 * Calls: collective. */
gmg_status gmg_arrays_load(struct gmg_solver *solver, const gmg_array *array);
gmg_status gmg_arrays_store(struct gmg_solver *solver, const gmg_array *array);

#endif
