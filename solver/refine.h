/* Mixed precision: cycles in single precision, from zero, on the residual that is computed in double and scaled. The levels of
 * the cycle are in float, in units in which widths and b are about 1; their coefficients are those of the finest level
 * rounded, and all else is made of these. All scales are powers of two, and change no digit.
 *   A' = scale A,  r' = residual_scale r,  u += scale / residual_scale z',  where A' z' = r', roughly */
#ifndef GMG_REFINE_H
#define GMG_REFINE_H

#include "solver.h"

/* Chooses the cycles' precision and units. After the axes are planned, before levels are made. */
void gmg_refine_plan(struct gmg_solver *solver);
/* Unit of length, b and α of levels in the cycles' precision. */
void gmg_refine_scale_level(const struct gmg_solver *solver, struct gmg_level *level);
/* Binds the calls between the two precisions. After those of the levels. */
gmg_status gmg_refine_bind(struct gmg_solver *solver);
/* Rounds the finest level's coefficients to the cycles'. */
gmg_status gmg_refine_coefficients(struct gmg_solver *solver);

/* Whether cycles are in single precision. */
int gmg_refines(const struct gmg_solver *solver);
/* Norms begin anew: no solve's rounding depends on the one before. */
void gmg_refine_forget(struct gmg_solver *solver);
/* r' of u and f, and z' = 0. Returns the true norm; size: what it is about. Calls: collective, as all that follow. */
double gmg_refine_begin(struct gmg_solver *solver, double size);
/* u += what the cycles found; then the same as gmg_refine_begin, and the way down from it: the coarse right side is that
 * of r', without sweeps. */
double gmg_refine(struct gmg_solver *solver, double size);
/* The norm as the cycles see it, in single precision. */
double gmg_refine_estimate(struct gmg_solver *solver);
/* One cycle from zero on f, whose size is about that: u = its result. In either precision. */
void gmg_precondition(struct gmg_solver *solver, double size);
/* FMG: the scale of f, for the coarse right sides, while u holds the density; the finest f; and the start that came of it. */
void gmg_refine_density(struct gmg_solver *solver);
void gmg_refine_source(struct gmg_solver *solver);
void gmg_refine_start(struct gmg_solver *solver);
/* Adds to the fallbacks that cycles are in double. */
void gmg_refine_note(struct gmg_solver *solver, const char *why);
/* Takes double levels instead, for good: coefficients are made anew. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_refine_raise(struct gmg_solver *solver, const char *why);

#endif
