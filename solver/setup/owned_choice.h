/* Whether β asks for owners. */
#ifndef GMG_OWNED_CHOICE_H
#define GMG_OWNED_CHOICE_H

#include "owners/coarse_links.h"
#include "owners/plan.h"
#include "problem/solver.h"

/* Whether β that was given has many steps between neighbours; by a look at some planes of cells.
 * problem.jump is a guess or measured. Calls: collective. Errors: GMG_ERR_MPI, GMG_ERR_MEMORY,
 * GMG_ERR_DEVICE. */
gmg_status gmg_owned_many_steps(gmg_solver *solver, int *many);
/* Whether levels as planned are worth while. */
int gmg_owned_pay(const struct gmg_owner_plan *plan);

#endif
