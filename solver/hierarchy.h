/* Setup of the levels: axes by pairing, boxes, storage, and the calls that a cycle runs. */
#ifndef GMG_HIERARCHY_H
#define GMG_HIERARCHY_H

#include "solver.h"

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

#endif
