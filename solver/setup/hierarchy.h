/* Setup of the levels: axes by pairing, boxes, storage, and the calls that a cycle runs. */
#ifndef GMG_HIERARCHY_H
#define GMG_HIERARCHY_H

#include "problem/solver.h"

/* Levels, layouts, planned fields, calls; coefficients are not filled in yet. solver->problem.op is
 * chosen. Calls: collective. Errors: what was made stays until gmg_hierarchy_destroy. */
gmg_status gmg_hierarchy_create(gmg_solver *solver);
/* Takes the memory of all fields that are still only planned. Calls: collective. */
gmg_status gmg_hierarchy_take(struct gmg_hierarchy *hierarchy);
/* In mixed precision plans the levels in double that a solve goes on with where single precision is
 * too low; their fields share memory with those in single. After all that is planned for these.
 * Calls: collective. Errors: as gmg_hierarchy_create. */
gmg_status gmg_hierarchy_plan_double(gmg_solver *solver);
/* After a or b was changed: the scalars of all levels and of the calls that they keep. */
void gmg_hierarchy_rescale(struct gmg_hierarchy *hierarchy);
/* Cycles in double from here on, for good, with the finest level's coefficients. Allocates nothing.
 * Calls: collective. */
gmg_status gmg_hierarchy_raise(gmg_solver *solver);
/* Frees all that setup made. */
void gmg_hierarchy_destroy(gmg_solver *solver);

#endif
