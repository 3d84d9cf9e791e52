/* The coarsest level by LAPACK: its matrix, found by applying the operator to unit vectors,
 * factored at setup on the one rank that owns the level. */
#ifndef GMG_DIRECT_H
#define GMG_DIRECT_H

#include "problem/hierarchy.h"

enum {
  GMG_DIRECT_CELLS = 512,
  GMG_DIRECT_MOST_CELLS = 1024
}; /* that levels are made down to; that are taken */

/* Whether this build has LAPACK. */
int gmg_direct_available(void);
/* Room for the matrix, and the calls. The level is one box. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_direct_bind(struct gmg_hierarchy *hierarchy);
/* Finds the matrix and factors it; *failed: it has no inverse. Of a singular problem it is A + c 1
 * 1ᵀ, c the mean diagonal over the number of cells. Calls: collective. */
gmg_status gmg_direct_factor(struct gmg_hierarchy *hierarchy, int *failed);
/* u = A⁻¹ f on the coarsest level. Calls: collective. */
void gmg_direct_solve(struct gmg_hierarchy *hierarchy);
void gmg_direct_destroy(struct gmg_hierarchy *hierarchy);

#endif
