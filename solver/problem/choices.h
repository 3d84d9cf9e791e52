/* What wisdom says of a solver's levels on the host (runtime/tuned.h). */
#ifndef GMG_CHOICES_H
#define GMG_CHOICES_H

#include "solver.h"
#include "runtime/choice.h"
#include "tuning/wisdom.h"

/* What is chosen together: the levels of cycles of one kind, "levels OPERATOR PRECISION ROWS
 * SMOOTHER PRE POST"; the finest one, which finds other caches and ends with the next cycle's way
 * down, by itself: with " finest" in the end. */
void gmg_choices_subject(const gmg_solver *solver, int level, char subject[GMG_WISDOM_SUBJECT]);
/* Takes the choices of all levels of the cycle, before they are made. */
void gmg_choices_find(gmg_solver *solver);
/* Sets a level's choice, in both precisions, once it is made. Returns -1 out of memory. */
int gmg_choices_set(gmg_solver *solver, int level, const struct gmg_choice *choice);
/* Puts the rules' choices for a level in place of those of the context's wisdom. Calls: collective.
 */
gmg_status gmg_choices_leave_out(gmg_solver *solver, int level);
/* For tests of the tuner: adds poor choices for all levels, and for all kernels on a GPU, to the
 * context's wisdom, for solvers that are set up from then on. Calls: after gmg_solver_setup. */
gmg_status gmg_choices_spoil(gmg_solver *solver);

#endif
