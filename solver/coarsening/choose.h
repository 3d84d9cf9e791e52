/* How levels are coarsened, before they are planned: whether they have owners (owners/), and which
 * directions plain ones pair first. */
#ifndef GMG_CHOOSE_COARSENING_H
#define GMG_CHOOSE_COARSENING_H

#include "problem/solver.h"

/* What a trial of plain cycles on a part of the grid found (api/trial.h): the factor by which they
 * reduce the residual; how much of corrections to take, with which they reduce it faster; whether
 * they are so slow that owners pay. */
struct gmg_coarsening_found {
  double factor, correction;
  int slow;
};
typedef gmg_status gmg_coarsening_trial(gmg_solver *solver, const int lower[3], const int upper[3],
                                        struct gmg_coarsening_found *trial);
/* Whether it is left to the solver whether they have owners. */
int gmg_coarsening_chooses(const gmg_solver *solver);
/* Decides by the options and by β how strong the couplings along x, y and z are taken to be
 * (problem.strength), and, where β has many steps by a trial, whether levels have owners, and plans
 * these, or else how much of corrections is taken (problem.correction). Calls: collective. Errors:
 * GMG_ERR_OPTION, GMG_ERR_UNSUPPORTED where the options ask for owners that cannot be;
 * GMG_ERR_MEMORY. */
gmg_status gmg_coarsening_choose(gmg_solver *solver, gmg_coarsening_trial *trial);
/* Plans the levels that are expected, before β is known. */
gmg_status gmg_coarsening_expect(gmg_solver *solver);

#endif
