/* Relaxation factors of Gauss-Seidel and Jacobi, level by level. */
#ifndef GMG_RELAXATION_H
#define GMG_RELAXATION_H

#include "problem/hierarchy.h"

/* The options' factor, or else those that the level's shape asks for; which colour has a residual
 * after sweeps. By the coefficients; allocates nothing. */
void gmg_relaxation_choose(struct gmg_hierarchy *hierarchy);
/* Where cells of one colour are neighbours, and the options leave the factor to the solver: sweeps
 * that are not over-relaxed from here on. A strong coupling between two such cells, which are
 * changed at once, makes what over-relaxed sweeps leave of their difference grow. Returns whether
 * that changes anything. */
int gmg_relaxation_damp(struct gmg_hierarchy *hierarchy);
/* Takes that back. */
void gmg_relaxation_restore(struct gmg_hierarchy *hierarchy);
/* On stretched grids, how many times the sweeps that the options say a level takes, by how unequal
 * its cells are. Known with the levels. */
int gmg_relaxation_times(const struct gmg_hierarchy *hierarchy, int l);
/* Whether a level may have a factor for every half-sweep: what its calls are bound for. */
int gmg_may_take_factors(const struct gmg_hierarchy *hierarchy, int l);
/* Whether cells of a colour are neighbours: over the seam of an odd number of cells. */
int gmg_colours_clash(const struct gmg_hierarchy *hierarchy, int l);
/* Whether the cells of a level are about as wide in all directions, none of these is short, and
 * colours do not clash. */
int gmg_is_cubical(const struct gmg_hierarchy *hierarchy, int l);

#endif
