/* Coarse levels with owners (owners/): their axes, and what their fields are filled with. */
#ifndef GMG_OWNED_FIELDS_H
#define GMG_OWNED_FIELDS_H

#include "problem/solver.h"

/* Fills owners and operators of the coarse levels, in single precision, for cycles in both: they
 * only correct. Plans them anew from the finest level where that was not done. Calls: collective.
 */
gmg_status gmg_owned_fill(gmg_solver *solver);
/* The axes of level l + 1, and how they are paired, where the plan has a step from level l: returns
 * 1; 0 where it has none, -1 out of memory. */
int gmg_owned_coarsen(struct gmg_hierarchy *hierarchy, int l);
/* How many cells of level l were given away, and how many pieces were forced on an owner. */
void gmg_owned_counts(const struct gmg_hierarchy *hierarchy, int l, int64_t *given_away,
                      int64_t *forced);
/* Doubles the sweeps of levels where many pieces of cells are badly held by the next coarser one.
 */
void gmg_owned_choose_sweeps(struct gmg_hierarchy *hierarchy);
void gmg_owned_drop(gmg_solver *solver);

#endif
