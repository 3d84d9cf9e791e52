/* Refinement: cycles in single precision (precision.h), from zero, on the residual that is computed
 * in double and scaled. */
#ifndef GMG_REFINE_H
#define GMG_REFINE_H

#include "problem/solver.h"

/* The norm that a reducer finds, the one that the options ask for. Calls: collective. */
double gmg_refine_norm(struct gmg_hierarchy *hierarchy, struct gmg_reducer *reducer);
/* Norms begin anew: no solve's rounding depends on the one before. */
void gmg_refine_forget(struct gmg_hierarchy *hierarchy);
/* r' of u and f, and z' = 0. Returns the true norm; size: what it is about. Calls: collective, as
 * all that follow. */
double gmg_refine_begin(struct gmg_hierarchy *hierarchy, double size);
/* r' of u and f alone. Returns the true norm. */
double gmg_refine_residual(struct gmg_hierarchy *hierarchy, double size);
/* u += what the cycles found. */
void gmg_refine_add(struct gmg_hierarchy *hierarchy);
/* gmg_refine_add, gmg_refine_begin, and the way down from there: the coarse right side is that of
 * r', without sweeps. */
double gmg_refine(struct gmg_hierarchy *hierarchy, double size);
/* The norm as the cycles see it, in single precision. */
double gmg_refine_estimate(struct gmg_hierarchy *hierarchy);
/* Adds to the fallbacks that cycles are in double. */
void gmg_refine_note(gmg_solver *solver, const char *why);

#endif
