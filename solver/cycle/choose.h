/* What the options that were left to the solver settle on once the coefficients are known. */
#ifndef GMG_CHOOSE_H
#define GMG_CHOOSE_H

#include "problem/hierarchy.h"

/* Settles the cycle, and which levels a W- or F-cycle visits twice. After the coefficients. */
void gmg_choose(struct gmg_hierarchy *hierarchy);

#endif
