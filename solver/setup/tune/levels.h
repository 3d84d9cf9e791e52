/* Finds the fastest of the choices that the host has on each level (runtime/choice.h). */
#ifndef GMG_SETUP_LEVELS_H
#define GMG_SETUP_LEVELS_H

#include "problem/solver.h"
#include "runtime/tune.h"

/* Times cycles from each level on that the host computes, the finest first, with one candidate
 * after the other; those that do not give the bits of the rules' choices are discarded. What is
 * faster by more than can be told from noise stays chosen on the level, and is added to the
 * context's wisdom; a level whose rules are best is added without choices. u and f of the levels
 * are undefined afterwards. Calls: collective. Errors: GMG_ERR_MEMORY, GMG_ERR_MPI. */
gmg_status gmg_tune_levels(gmg_solver *solver, struct gmg_tune *tune);

#endif
