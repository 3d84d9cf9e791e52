/* The start of full multigrid: right sides of all levels from the source, and each level's start
 * from the next coarser one's solution. */
#ifndef GMG_FMG_H
#define GMG_FMG_H

#include "problem/hierarchy.h"

/* Ghosts that coarser levels hold for it: from a wall's cell the cubic reaches three further. */
enum { GMG_FMG_GHOSTS = 3 };

/* Whether a solve may start so: it is asked for, or left to the solver. */
int gmg_fmg_prepared(const struct gmg_hierarchy *h);
/* Binds the calls and makes the tables, where the options ask for FMG. Calls: collective. */
gmg_status gmg_fmg_bind(struct gmg_hierarchy *hierarchy);
/* The part of it that only a singular problem has. Bound already, or not needed: does nothing.
 * Calls: collective. */
gmg_status gmg_fmg_bind_projection(struct gmg_hierarchy *hierarchy);
/* The boundary values on all coarser levels, from those of the finest, after the coefficients.
 * Calls: collective. */
gmg_status gmg_fmg_boundary(struct gmg_hierarchy *hierarchy);
/* f of every coarser level = the sum of f below it; before boundary values are added to any. Calls:
 * collective. */
void gmg_fmg_restrict(struct gmg_hierarchy *hierarchy);
/* For a correction, where cycles do not refine: f of level 1 from the residual of u, whose norm the
 * reducer finds, now or when it is asked. */
void gmg_fmg_restrict_residual(struct gmg_hierarchy *hierarchy, struct gmg_reducer *norm);
/* f of the other coarser levels; where cycles refine, of all, from the residual in f of the finest
 * level of the cycle. */
void gmg_fmg_restrict_correction(struct gmg_hierarchy *hierarchy);
/* Takes a mean off the coarser levels' f, as it was off the finest one's. */
void gmg_fmg_project(struct gmg_hierarchy *hierarchy, double mean);
/* u of level l = the interpolated u of level l + 1. Calls: collective. */
void gmg_fmg_start(struct gmg_hierarchy *hierarchy, int l);
/* u of the finest level += the interpolated u of level 1; where the finest level is the cycle's.
 * Calls: collective. */
void gmg_fmg_add(struct gmg_hierarchy *hierarchy);

#endif
