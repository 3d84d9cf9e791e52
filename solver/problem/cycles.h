/* In mixed precision a solver has two sets of cycles: in single, and in double for where that is
 * too low. */
#ifndef GMG_CYCLES_H
#define GMG_CYCLES_H

#include "solver.h"

/* The solver's cycles and the other ones change places, so that what is made for the first is made
 * for the second too. */
void gmg_cycles_exchange(gmg_solver *solver);

#endif
