/* The kind of coarse levels in repeated setups, by what solves took. */
#ifndef GMG_REPEATED_H
#define GMG_REPEATED_H

#include "problem/solver.h"

/* Notes what a solve took. */
void gmg_coarsening_note(gmg_solver *solver, const gmg_result *result);
/* Whether levels are to be made of the other kind, by what solves took since the last setup, as
 * this one takes another β in. */
int gmg_coarsening_turns(gmg_solver *solver);

#endif
