/* Krylov methods with Jacobi preconditioning on the coarsest level. Of a singular problem they
 * solve with A + c 1 1ᵀ, which has an inverse. */
#ifndef GMG_BOTTOM_KRYLOV_H
#define GMG_BOTTOM_KRYLOV_H

#include "problem/hierarchy.h"

gmg_status gmg_bottom_bind_cg(struct gmg_hierarchy *hierarchy);
gmg_status gmg_bottom_bind_bicgstab(struct gmg_hierarchy *hierarchy);
/* Both improve u of the coarsest level, and end where the residual norm is a thousandth, or where
 * they break down. Calls: collective. Source: van der Vorst, Bi-CGSTAB, SIAM J. Sci. Stat. Comput.
 * 13 (1992). */
void gmg_bottom_cg(struct gmg_hierarchy *hierarchy);
void gmg_bottom_bicgstab(struct gmg_hierarchy *hierarchy);

#endif
