/* Whether β asks for owners. */
#ifndef GMG_OWNED_CHOICE_H
#define GMG_OWNED_CHOICE_H

#include "owners/coarse_links.h"
#include "owners/plan.h"
#include "problem/solver.h"

/* Whether β that was given has many steps between neighbours; by a look at some planes of cells.
 * Calls: collective. Memory: on rank 0 of several a copy of all β, for as long as it is looked at.
 * Errors: GMG_ERR_MPI, GMG_ERR_MEMORY. */
gmg_status gmg_owned_many_steps(gmg_solver *solver, int *many);
/* Whether levels as planned are worth while. */
int gmg_owned_pay(const struct gmg_owner_plan *plan);

#endif
