/* Setup of the levels: axes by pairing, boxes, storage, and the calls that a cycle runs. */
#ifndef GMG_HIERARCHY_H
#define GMG_HIERARCHY_H

#include "solver.h"

/* Which part each rank hands over: checks that the parts tile the grid. Calls: collective. */
gmg_status gmg_hierarchy_bricks(struct gmg_solver *solver);
/* Levels, layouts, planned fields, calls; coefficients are not filled in yet. solver->op is chosen. Calls: collective.
 * Errors: what was made stays until gmg_hierarchy_destroy. */
gmg_status gmg_hierarchy_create(struct gmg_solver *solver);
/* Takes the memory of all fields that are still only planned. Calls: collective. */
gmg_status gmg_hierarchy_take(struct gmg_solver *solver);
/* Instead of levels in single precision those in double, the finest one kept: without coefficients, their fields taken.
 * Calls: collective. Errors: as gmg_hierarchy_create. */
gmg_status gmg_hierarchy_raise(struct gmg_solver *solver);
/* Frees all that setup made. */
void gmg_hierarchy_destroy(struct gmg_solver *solver);
/* The exchange between a dense or strided array of this rank's part and the finest level (which: 0 to the level, 1 back). Made
 * anew only if the strides on any rank differ from the last ones. Calls: collective. */
gmg_status gmg_hierarchy_view(struct gmg_solver *solver, int which, const ptrdiff_t stride[3]);
/* The caller's array into u of the finest level, and back. An MPI failure while values travel stays in the context.
 * Calls: collective. */
gmg_status gmg_hierarchy_load(struct gmg_solver *solver, const gmg_array *array);
gmg_status gmg_hierarchy_store(struct gmg_solver *solver, const gmg_array *array);

#endif
