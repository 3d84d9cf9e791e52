/* BiCGStab around the cycles: for operators that are not symmetric, or cycles that are not.
 * Source: van der Vorst, Bi-CGSTAB, SIAM J. Sci. Stat. Comput. 13 (1992), preconditioned from the
 * right; the residual is computed anew in each iteration, and a breakdown starts it again from
 * there. */
#ifndef GMG_BICGSTAB_H
#define GMG_BICGSTAB_H

#include "problem/solver.h"

/* Binds the calls and makes the fields krylov_r, krylov_shadow, krylov_p and krylov_q beside the
 * iterate and the right side, krylov_x and krylov_b. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_bicgstab_bind(gmg_solver *solver);
void gmg_bicgstab_begin(gmg_solver *solver);
/* One iteration, size the norm of the residual before it: two cycles. Sets solver->krylov.breakdown
 * where the first step after a start breaks down: none would help. Calls: collective. */
void gmg_bicgstab_step(gmg_solver *solver, double size);

#endif
