/* Lines and tables of a level: what kernels read by one index, along an axis. */
#ifndef GMG_LINE_H
#define GMG_LINE_H

#include "level.h"

/* A line of values along an axis, element -GMG_LINE_PAD first, cells + 1 + 2 GMG_LINE_PAD of them:
 * copied; data keeps this order and double, box[b] is as the level's rows and precision are. The
 * name of a line or table is stem_i, stem_j or stem_k. */
gmg_status gmg_level_line(struct gmg_level *level, const char *stem, int axis,
                          const double *values);
/* A table along an axis: values of every index, counted over the whole other level; kept counted
 * from the first cell of each box's partner on `other`. count: cells, or cells + 1. Indices outside
 * are clamped, or along a periodic axis those of the image. */
gmg_status gmg_level_table(struct gmg_level *level, struct gmg_level *other, const char *stem,
                           int axis, const int *values, int count);

/* Continues a line of values per cell (element 0 given, GMG_LINE_PAD more on both sides) around a
 * periodic axis. */
void gmg_level_continue(const struct gmg_level *level, int axis, double *values);
/* The lines of axis d: widths h; inverse distances g, with the boundary formula folded in where the
 * operator's conductances take it; and fold_lo, fold_hi, the formula's factor at the wall cells for
 * operators that take it in their diagonal. */
gmg_status gmg_level_axis_lines(struct gmg_level *level, int d);

#endif
