/* The start of full multigrid: right sides of all levels from the source, and each level's start from the next coarser
 * one's solution. */
#ifndef GMG_FMG_H
#define GMG_FMG_H

#include "solver.h"

/* Ghosts that coarser levels hold for it: from a wall's cell the cubic reaches three further. */
enum { GMG_FMG_GHOSTS = 3 };

/* Whether a solve may start so: it is asked for, or left to the solver. */
int gmg_fmg_prepared(const struct gmg_solver *s);
/* Binds the calls and makes the tables, where the options ask for FMG. Calls: collective. */
gmg_status gmg_fmg_bind(struct gmg_solver *solver);
/* The boundary values on all coarser levels, from those of the finest, after the coefficients. Calls: collective. */
gmg_status gmg_fmg_boundary(struct gmg_solver *solver);
/* f of every coarser level = the sum of f below it; before boundary values are added to any. Calls: collective. */
void gmg_fmg_restrict(struct gmg_solver *solver);
/* Takes a mean off the coarser levels' f, as it was off the finest one's. */
void gmg_fmg_project(struct gmg_solver *solver, double mean);
/* u of level l = the interpolated u of level l + 1. Calls: collective. */
void gmg_fmg_start(struct gmg_solver *solver, int l);

#endif
