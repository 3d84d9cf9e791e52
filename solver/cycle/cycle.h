/* The multigrid cycles. */
#ifndef GMG_CYCLE_H
#define GMG_CYCLE_H

#include "problem/hierarchy.h"

/* One cycle on A u = f of level l: u is improved. Calls: collective. */
void gmg_cycle(struct gmg_hierarchy *hierarchy, int l, enum gmg_cycle_kind kind);
/* gmg_cycle where u = 0, whatever is stored. */
void gmg_cycle_from_zero(struct gmg_hierarchy *hierarchy, int l, enum gmg_cycle_kind kind);
/* The two halves of a cycle above the coarsest level: smoothing and the residual's restriction; the
 * coarse correction and smoothing. gmg_cycle is the one, then the other. norm, whole: as for
 * gmg_restrict_residual. Calls: collective. */
void gmg_cycle_down(struct gmg_hierarchy *hierarchy, int l, struct gmg_reducer *norm, int whole);
void gmg_cycle_up(struct gmg_hierarchy *hierarchy, int l, enum gmg_cycle_kind kind);
/* The start of full multigrid on A u = f of level l, all coarser levels' f given: u from the next
 * coarser level's solution, then one V-cycle. Calls: collective. */
void gmg_cycle_fmg(struct gmg_hierarchy *hierarchy, int l);
/* Full multigrid from a guess: after gmg_fmg_restrict_residual, the correction is found on the
 * coarser levels and added to u of the finest level, then one V-cycle runs. Where cycles refine
 * (refine.h), f of the cycle's finest level is the residual of the guess, and u there is set to the
 * correction. Needs two levels at least. Calls: collective. */
void gmg_cycle_fmg_correct(struct gmg_hierarchy *hierarchy);
/* A cycle as the preconditioner of a Krylov method: one from zero on the finest level's f, whose
 * size is about that: u = its result, of a singular problem without its mean. In either precision.
 * Calls: collective. */
void gmg_cycle_precondition(struct gmg_hierarchy *hierarchy, double size);

#endif
