/* Whether β asks for owners. */
#ifndef GMG_OWNED_CHOICE_H
#define GMG_OWNED_CHOICE_H

#include "problem/solver.h"

/* What a look at the given β found. */
struct gmg_owned_look {
  int many; /* steps between neighbours are many */
  /* cells of the part of the grid where they are most */
  int lower[3], upper[3];
};

/* Looks, after gmg_steps_count. Calls: collective. Errors: GMG_ERR_MPI, GMG_ERR_MEMORY,
 * GMG_ERR_DEVICE. */
gmg_status gmg_owned_look(gmg_solver *solver, struct gmg_owned_look *look);
/* Whether owners are worth their plan where plain cycles leave so much of the residual. */
int gmg_owned_pay(double factor);

#endif
