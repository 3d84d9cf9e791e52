/* How β varies, by the host: ratios of its values, and means. */
#ifndef GMG_JUMP_H
#define GMG_JUMP_H

#include "problem/solver.h"

/* The largest ratio, either way, of `count` values and those across from them, both every `stride`:
 * `ratio` if none is larger. */
double gmg_ratio_in_row(const double *low, const double *high, ptrdiff_t stride, int count,
                        double ratio);
/* The largest ratio of β on opposite faces of a cell of the finest level or, where β is given on
 * cells, on two of its low faces; and its means; while beta_i|j|k hold it. Calls: collective. */
gmg_status gmg_jump_measure(gmg_solver *solver);

#endif
