/* The strips of rows that a pass cuts the boxes of its level into. */
#ifndef GMG_OPENMP_STRIPS_H
#define GMG_OPENMP_STRIPS_H

#include "region.h"

enum { GMG_MOST_STRIPS = 1024 };

/* Where a strip begins or ends: a stage's border lies `slope` times its lag on from `row`. -1: what
 * lies above follows what lies below. 1: what lies below follows what lies above. 0: at the end of
 * the box's rows and ghosts. */
struct gmg_border {
  int row, slope;
};

/* A strip of a box's rows. One thread sweeps those of a chunk, each after the one below it; the
 * last one follows the next chunk where that goes on in the same box. */
struct gmg_strip {
  int box, chunk;
  int after;                         /* the strip that it follows plane by plane; -1: none */
  struct gmg_border from, to, least; /* least: no stage of the chunk goes below it */
  int plane, fronts; /* where the first stage begins, and how many planes on the last one ends */
};

/* Bytes of a cell in the fields that stages touch of the swept level and its twin. */
size_t gmg_strips_cell_bytes(const struct gmg_stage *stage, int stages);
/* Cuts all boxes, each into strips alike, of as many rows as stay in cache between two visits of a
 * plane, and deals them out in chunks, at most one for each thread. Returns how many strips there
 * are. */
int gmg_strips_cut(const struct gmg_stage *stage, int stages, const struct gmg_level *level,
                   struct gmg_strip strip[GMG_MOST_STRIPS]);
/* Where a stage runs in a strip. */
struct gmg_span gmg_strip_span(const struct gmg_strip *strip, const struct gmg_stage *stage,
                               const struct gmg_level *level);

#endif
