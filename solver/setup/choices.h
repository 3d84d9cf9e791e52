/* What wisdom says of a solver's levels on the host (runtime/tuned.h). */
#ifndef GMG_CHOICES_H
#define GMG_CHOICES_H

#include "problem/solver.h"
#include "tuning/wisdom.h"

/* What is chosen together: the levels of cycles of one kind, "levels OPERATOR PRECISION ROWS
 * SMOOTHER PRE POST". */
void gmg_choices_subject(const gmg_solver *solver, char subject[GMG_WISDOM_SUBJECT]);
/* Takes the choices of all levels of the cycle, before they are made. */
void gmg_choices_find(gmg_solver *solver);

#endif
