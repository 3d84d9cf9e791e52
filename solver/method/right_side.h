/* The right side of a solve. */
#ifndef GMG_RIGHT_SIDE_H
#define GMG_RIGHT_SIDE_H

#include "problem/solver.h"

/* f = what u holds, integrated over cells, with boundary values in it and, of a singular problem,
 * without its mean, which is returned. full: on all levels, for a start by full multigrid. Calls:
 * collective, as the next. */
double gmg_right_side_take(gmg_solver *solver, int full);
/* The norm of f, which is that of the residual where u is zero. */
double gmg_right_side_norm(struct gmg_hierarchy *hierarchy);

#endif
