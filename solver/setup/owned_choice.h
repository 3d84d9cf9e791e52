/* Whether β, and then solves, ask for owners. */
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

/* Notes what a solve took. */
void gmg_owned_note(gmg_solver *solver, const gmg_result *result);
/* Whether levels are to be made of the other kind, by what solves took since the last setup, as
 * this one takes another β in. */
int gmg_owned_turns(gmg_solver *solver);

#endif
