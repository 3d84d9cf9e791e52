/* Coefficients of the finest level where a device computes them: calls that setup runs there, each
 * bound once, and the ways of the caller's arrays. */
#ifndef GMG_FINEST_H
#define GMG_FINEST_H

#include "problem/solver.h"

/* Plans them where a device is to compute. After the levels' calls. Calls: collective. */
gmg_status gmg_finest_bind(gmg_solver *solver);
void gmg_finest_destroy(gmg_solver *solver);
/* Whether they are planned: the operator is one whose setup a device can run. */
int gmg_finest_planned(const gmg_solver *solver);
/* Whether the device computes the coefficients of all levels: it has the levels, and the operator
 * is one whose setup it can run. */
int gmg_finest_on_device(const gmg_solver *solver);
/* The caller's values of a coefficient into a field of the finest level, by the device. The array
 * may be used again when all that was queued is done. Calls: collective. An MPI failure stays in
 * the context. */
gmg_status gmg_finest_take(gmg_solver *solver, int which, int name);
/* Zeroes u and f where coefficients passed through them. */
void gmg_finest_clear(gmg_solver *solver);
/* What gmg_jump_measure finds, there. Calls: collective. */
gmg_status gmg_finest_measure(gmg_solver *solver);

#endif
