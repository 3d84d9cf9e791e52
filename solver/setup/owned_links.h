/* The operator of a finest level on the host, and plans of owners that all ranks have. */
#ifndef GMG_OWNED_LINKS_H
#define GMG_OWNED_LINKS_H

#include "owners/plan.h"
#include "problem/solver.h"

/* Plans owners from the conductances and a α of a level, which is a finest one in double, on rank
 * 0, and hands the plan to all ranks; fixed: as for gmg_owners_plan. Calls: collective. Memory:
 * gives the plan. Errors: GMG_ERR_MEMORY, GMG_ERR_MPI. */
gmg_status gmg_owned_plan(gmg_solver *solver, struct gmg_level *level,
                          const struct gmg_owner_plan *fixed, struct gmg_owner_plan **plan);

#endif
