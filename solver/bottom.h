/* The bottom solver: the coarsest level by Gauss-Seidel sweeps (exact on one cell) or BiCGStab. */
#ifndef GMG_BOTTOM_H
#define GMG_BOTTOM_H

#include "solver.h"

gmg_status gmg_bottom_bind(struct gmg_solver *solver);
/* Improves u of the coarsest level; of one cell that nothing fixes, sets it to zero. Calls: collective. */
void gmg_bottom_solve(struct gmg_solver *solver);

#endif
