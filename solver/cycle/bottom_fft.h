/* The coarsest level by transforms along its axes, on the one rank that has it. */
#ifndef GMG_BOTTOM_FFT_H
#define GMG_BOTTOM_FFT_H

#include "problem/hierarchy.h"

enum { GMG_FFT_CELLS = 4096 }; /* that levels are made down to */

/* Memory and transforms; the level is one box. Errors: GMG_ERR_MEMORY; GMG_ERR_UNSUPPORTED, where
 * the level has no such transforms, and says why. */
gmg_status gmg_bottom_fft_bind(struct gmg_hierarchy *hierarchy);
/* u = A⁻¹ f on the coarsest level; a constant that nothing fixes is left out. Calls: collective.
 * Allocates nothing. */
void gmg_bottom_fft_solve(struct gmg_hierarchy *hierarchy);
void gmg_bottom_fft_destroy(struct gmg_hierarchy *hierarchy);

#endif
