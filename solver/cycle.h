/* The multigrid cycle. */
#ifndef GMG_CYCLE_H
#define GMG_CYCLE_H

#include "solver.h"

/* One V-cycle on A u = f of level l: u is improved. Calls: collective. */
void gmg_cycle_v(struct gmg_solver *solver, int l);

#endif
