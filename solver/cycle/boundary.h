/* Boundary values: what they add to the right side, integrated over cells; computed once, at setup.
 */
#ifndef GMG_BOUNDARY_H
#define GMG_BOUNDARY_H

#include "problem/hierarchy.h"

/* For operators of the conductance form: conductance x k at every wall, of ghost = c u + k. While
 * beta_i|j|k of the finest level still hold β itself, of which that of the walls is kept. */
gmg_status gmg_boundary_fluxes(struct gmg_hierarchy *hierarchy);
/* For all others, on level l: -A applied to ghosts filled with k over zero; after the coefficients.
 * Calls: collective. */
gmg_status gmg_boundary_formulas(struct gmg_hierarchy *hierarchy, int l);
/* For FMG, level by level: what boundary values add on level l + 1. Of conductances, sums
 * of what they add on level l, scaled, as wall cells are wider; of all others, anew from averaged
 * values. Calls: collective. */
gmg_status gmg_boundary_coarsen(struct gmg_hierarchy *hierarchy, int l);
/* Frees what the levels before left for the next one. */
void gmg_boundary_forget(struct gmg_hierarchy *hierarchy);
/* f += the sources, on all levels that have any, by the host. */
void gmg_boundary_add(struct gmg_hierarchy *hierarchy);
/* Forgets what boundary values add to the right side; and all else. */
void gmg_boundary_clear(struct gmg_hierarchy *hierarchy);
void gmg_boundary_destroy(struct gmg_hierarchy *hierarchy);

/* After values were changed: what they add on the finest level, anew; those of coarser levels are
 * gone. Calls: collective. */
gmg_status gmg_boundary_remake(struct gmg_hierarchy *hierarchy);
/* What they add on the first `levels` levels, in the memory that it has. Only where one side had
 * values, has others now, and the operator is of the conductance form. Calls: collective. */
gmg_status gmg_boundary_renew(struct gmg_hierarchy *hierarchy, int side, int levels);

/* Frees the sources of all levels but the finest; they come last. */
void gmg_boundary_drop_coarse(struct gmg_hierarchy *hierarchy);

#endif
