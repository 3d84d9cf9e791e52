/* The precision of the cycles. In mixed precision their levels are in float, in units in which
 * widths and b are about 1; their coefficients are those of the finest level, which stays in
 * double, rounded, and all else is made of these. All scales are powers of two, and change no
 * digit. A' = scale A,  r' = residual_scale r,  u = scale / residual_scale z',  where A' z' = r',
 * roughly */
#ifndef GMG_PRECISION_H
#define GMG_PRECISION_H

#include "problem/hierarchy.h"

/* Whether cycles are in single precision. */
int gmg_refines(const struct gmg_hierarchy *hierarchy);
/* Chooses the cycles' precision and units. After the axes are planned, before levels are made. */
void gmg_precision_plan(struct gmg_hierarchy *hierarchy);
/* The scale of the operator, after b was changed. */
void gmg_precision_rescale(struct gmg_hierarchy *hierarchy);
/* Unit of length, b and α of levels in the cycles' precision. */
void gmg_precision_scale_level(const struct gmg_hierarchy *hierarchy, struct gmg_level *level);
/* Binds the calls between the two precisions. After those of the levels. */
gmg_status gmg_precision_bind(struct gmg_hierarchy *hierarchy);
/* Rounds the finest level's coefficients to the cycles'. */
gmg_status gmg_precision_round(struct gmg_hierarchy *hierarchy);
/* Scales for residuals whose norm is about that size. */
void gmg_precision_scale(struct gmg_hierarchy *hierarchy, double size);
/* Scales for the density that u holds, before FMG makes the coarse right sides of it. Calls:
 * collective. */
void gmg_precision_take_density(struct gmg_hierarchy *hierarchy);
/* The cycle's f = the finest level's, rounded; the finest level's u = the cycle's. Calls:
 * collective. */
void gmg_precision_take_f(struct gmg_hierarchy *hierarchy);
void gmg_precision_give_u(struct gmg_hierarchy *hierarchy);

#endif
