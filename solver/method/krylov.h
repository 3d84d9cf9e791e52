/* The Krylov method around the cycles, one cycle from zero as the preconditioner: flexible
 * conjugate gradients, or BiCGStab. Both compute the residual anew in each iteration, and so decide
 * on the true one. Source: Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000),
 * with two directions kept: a cycle is no symmetric preconditioner, and with one a sphere of a
 * million times the β takes 22 iterations instead of 14. */
#ifndef GMG_KRYLOV_H
#define GMG_KRYLOV_H

#include "problem/solver.h"

/* Binds the calls and makes the fields, six on the finest level, in mixed precision four in single
 * precision whose memory those in double take over, where the options ask for the method or `auto`
 * may turn it on in a solve. After the coefficients. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_krylov_bind(gmg_solver *solver);
/* Whether `auto` turns the method on now: history[0 … cycles] are the residual norms after the
 * plain cycles so far, a start by full multigrid left out. It does where the cycles that are left,
 * at the factor seen, would cost more than iterations at the rate that conjugate gradients have on
 * errors that shrink so. Norms and costs counted in cycles decide, never time. */
int gmg_krylov_pays(const gmg_solver *solver, const double *history, int cycles, double tolerance);
/* Starts from u and f of the finest level; at_residual: in mixed precision r' is that of u. */
void gmg_krylov_begin(gmg_solver *solver, int at_residual);
/* One iteration, size the norm of the residual before it; solver->krylov.breakdown is set where no
 * further step can be made. Calls: collective. */
void gmg_krylov_step(gmg_solver *solver, double size);
/* Returns the norm of the residual of the iterate. Of conjugate gradients that residual stays, for
 * the next step. Calls: collective. */
double gmg_krylov_norm(gmg_solver *solver);
/* After the cycles went over to double: the method goes on from its iterate, if it is on. */
void gmg_krylov_raise(gmg_solver *solver);
/* Whether it is on and its iterate is not u of the finest level. */
int gmg_krylov_apart(const gmg_solver *solver);
/* The method is off, its iterate lost, and f as it was before. */
void gmg_krylov_drop(gmg_solver *solver);
/* u = the solution, if the method was on. */
void gmg_krylov_end(gmg_solver *solver);

#endif
