/* How wide the pairs of cells are that the levels of a grid merge. */
#ifndef GMG_MERGE_H
#define GMG_MERGE_H

#include "axis.h"

/* Pairs up to so many times the least one's width merge: where cells are about equal (1.3 to 1.8
 * behave alike), and on stretched grids, where more at a time want more sweeps than they save
 * (docs/performance/relaxation.md). */
#define GMG_MERGE_WIDTH 1.5
#define GMG_STRETCHED_MERGE_WIDTH 8.0

/* Whether the cells along some axis differ in width by more than a factor 2. */
int gmg_axes_stretched(const struct gmg_axis axis[3]);
/* One of the two for all levels of a grid: the larger one on a stretched grid whose levels would
 * have many more cells with the smaller one. Returns -1 out of memory. */
int gmg_merge_width(const struct gmg_axis axis[3], double *merge);

#endif
