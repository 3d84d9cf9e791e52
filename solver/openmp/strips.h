/* The strips of rows that a pass cuts the boxes of its level into. */
#ifndef GMG_OPENMP_STRIPS_H
#define GMG_OPENMP_STRIPS_H

#include "region.h"

enum { GMG_MOST_STRIPS = 1024 };

/* Rows [from, to) of a box; the first and the last strip of a box reach to the ends of its rows and
 * ghosts. */
struct gmg_strip {
  int box, from, to, first, last;
  int plane, fronts; /* where the first stage begins, and how many planes on the last one ends */
};

/* Bytes of a cell in the fields that stages touch of the swept level and its twin. */
size_t gmg_strips_cell_bytes(const struct gmg_stage *stage, int stages);
/* Cuts all boxes, each into strips alike, of as many rows as stay in cache between two visits of a
 * plane. The cuts lie half the largest lag on, since in the end each stage leaves rows of the first
 * strip to the others. Returns how many strips there are. */
int gmg_strips_cut(const struct gmg_stage *stage, int stages, const struct gmg_level *level,
                   struct gmg_strip strip[GMG_MOST_STRIPS]);

#endif
