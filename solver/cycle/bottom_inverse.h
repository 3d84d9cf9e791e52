/* The bottom solver by the inverse of a level's matrix, which has at most eight rows.
 * Setup applies the operator to unit vectors and eliminates, cells of the level side by side, by
 * generated kernels (operators/inverse.c): where a device computes the level it never waits for
 * the host, and the bits are the same. */
#ifndef GMG_BOTTOM_INVERSE_H
#define GMG_BOTTOM_INVERSE_H

#include "problem/hierarchy.h"

/* The level is one box of at most two cells along each axis. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_inverse_bind(struct gmg_hierarchy *hierarchy, int l);
/* After the coefficients. Of a singular problem u of the last cell is 0. Calls: collective. */
void gmg_inverse_compute(struct gmg_hierarchy *hierarchy);
/* u = A⁻¹ f on that level, in one call. Calls: collective. */
void gmg_inverse_apply(struct gmg_hierarchy *hierarchy);

#endif
