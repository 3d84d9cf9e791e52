/* Coefficients of the coarser levels, and what cycles need besides them, from those of the finest
 * level. */
#ifndef GMG_COARSE_COEFFICIENTS_H
#define GMG_COARSE_COEFFICIENTS_H

#include "problem/solver.h"

/* Binds the calls that make them, of level l and the next coarser one. After those of both levels'
 * cycles. Calls: collective. */
gmg_status gmg_coefficients_bind(gmg_solver *solver, int l);
/* Runs those of what was taken in, and chooses by the coefficients what a cycle does. The fields of
 * all levels are taken. Allocates nothing. Calls: collective. */
gmg_status gmg_coefficients_coarsen(gmg_solver *solver, int take);

#endif
