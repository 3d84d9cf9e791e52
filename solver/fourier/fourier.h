/* Solves by transforms: where the operator has constant coefficients on constant spacing its
 * eigenvectors are products of those along the axes (basis.h), and a solve is a transform, a
 * division by the eigenvalues, and a transform back. */
#ifndef GMG_FOURIER_H
#define GMG_FOURIER_H

#include "problem/solver.h"

/* Refuses a problem that has no such eigenvectors, once its operator and a α are chosen; others,
 * and those that other methods solve, pass. Errors: GMG_ERR_UNSUPPORTED, alike on all ranks. */
gmg_status gmg_fourier_check(const struct gmg_problem *problem);
/* Plans it for the finest level, whose fields are planned too: solver->fourier. Not wanted: does
 * nothing. Calls: collective. Errors: GMG_ERR_MEMORY, GMG_ERR_MPI. */
gmg_status gmg_fourier_plan(gmg_solver *solver);
/* Adds levels of its own, and moves between them, to the lists of the placement: at most 3 and 14.
 */
void gmg_fourier_list(const gmg_solver *solver, struct gmg_placement *placement);
/* Takes the memory that was planned. Calls: collective. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_fourier_take(gmg_solver *solver);
/* After another setup of the levels that there are: the host's memory, where a device that had
 * transformed has no room for them any more. Calls: collective. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_fourier_renew(gmg_solver *solver);
void gmg_fourier_destroy(gmg_solver *solver);
/* u of the finest level = the solution for its f, if u is zero; else u gets what it lacks. Reads a,
 * α and b as they are. Allocates nothing. Calls: collective. An MPI failure stays in the context.
 */
void gmg_fourier_solve(gmg_solver *solver, int from_zero);
/* Seconds in transforms, of all solves. */
double gmg_fourier_seconds(const gmg_solver *solver);

#endif
