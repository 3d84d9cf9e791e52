/* What double precision leaves of a residual: no solver gets below that. */
#ifndef GMG_ROUNDING_H
#define GMG_ROUNDING_H

#include "problem/hierarchy.h"

/* The residual norm that rounding the solution to double leaves: about 0.22 · 2⁻⁵³ ‖|A| |u|‖ (over
 * the cases of `gmg make` solves end at 0.6 to 1.7 times that). terms: sums the terms of A u;
 * right_side: the norm of f; projected: the mean that was taken off it. Changes nothing, and costs
 * as much as a residual. Calls: collective. */
double gmg_rounding(struct gmg_hierarchy *hierarchy, struct gmg_reducer *terms, double right_side,
                    double projected);

#endif
