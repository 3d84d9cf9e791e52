/* Solves as steps of a program, by solvers that the application attaches, and arrays that solvers
 * have in place. */
#ifndef GMG_PROGRAMS_SOLVES_H
#define GMG_PROGRAMS_SOLVES_H

#include "program.h"

/* Says which solve has no solver. */
gmg_status gmg_program_check_solves(const struct gmg_program *program, const char *call);
/* Runs the solve of that number, after all that was collected on a device. Returns the same status
 * on all ranks. Calls: collective. */
gmg_status gmg_program_solve(struct gmg_program *program, int which);
/* The arrays lie elsewhere from now on: solvers are to borrow them anew. */
void gmg_program_forget_lent(struct gmg_program *program);

#endif
