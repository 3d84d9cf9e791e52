/* Transfers between a level and the next coarser one: the kernel, and where the boxes differ a
 * redistribution. */
#ifndef GMG_TRANSFER_H
#define GMG_TRANSFER_H

#include "problem/hierarchy.h"

/* Binds the transfers between levels l and l + 1. */
gmg_status gmg_transfer_bind(struct gmg_hierarchy *hierarchy, int l);
/* Settles the interpolation of all levels, when the coefficients are known: linear, unless β jumps
 * or an option says so. */
void gmg_transfer_choose(struct gmg_hierarchy *hierarchy);
/* From now on as much is taken of corrections that are interpolated constantly, between levels
 * without owners, as the problem says. */
void gmg_transfer_correct(struct gmg_hierarchy *hierarchy);
/* f = sum of the children's f - A u, on level l + 1, after the sweeps before the coarse correction:
 * where these have left a residual in the cells of one colour only, but for rounding, it is that of
 * those cells, unless the `whole` one is wanted. norm: NULL, or the reducer of that residual's
 * norm, which is asked next. Calls: collective. */
void gmg_restrict_residual(struct gmg_hierarchy *hierarchy, int l, struct gmg_reducer *norm,
                           int whole);
/* f of level l + 1 = the sum of the children's f, where it is bound. Calls: collective. */
gmg_status gmg_transfer_bind_right_side(struct gmg_hierarchy *hierarchy, int l);
void gmg_restrict_right_side(struct gmg_hierarchy *hierarchy, int l);
/* u += the interpolated u of level l + 1, on level l. Calls: collective. */
void gmg_interpolate(struct gmg_hierarchy *hierarchy, int l);
/* u = 0 on level l. */
void gmg_set_zero(struct gmg_hierarchy *hierarchy, int l);

#endif
