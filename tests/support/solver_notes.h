/* What a solver says of its choices, whatever the wisdom is that a user of the machine has. */
#ifndef GMG_TEST_SOLVER_NOTES_H
#define GMG_TEST_SOLVER_NOTES_H

#include <gmg.h>

/* The n-th of gmg_solver_fallback that is not of a wisdom file which was not used; NULL: none. */
const char *solver_note(const gmg_solver *solver, int n);

#endif
