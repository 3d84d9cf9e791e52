/* What the options that were left to the solver settle on once the coefficients are known. */
#ifndef GMG_CHOOSE_H
#define GMG_CHOOSE_H

#include "problem/hierarchy.h"

/* Whether β jumps: somewhere the ratio of β on opposite faces of a cell is larger than smooth
 * coefficients make it. */
int gmg_beta_jumps(const struct gmg_hierarchy *hierarchy);
/* Settles the cycle, and which levels a W- or F-cycle visits twice. After the coefficients. */
void gmg_choose(struct gmg_hierarchy *hierarchy);

#endif
