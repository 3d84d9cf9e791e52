/* On which cells the stages of a pass run. Where a box has neighbours, or periodic images, a stage
 * runs on so many of its ghosts as the stages after it reach, so that nothing is exchanged in
 * between; the fields that stages find are exchanged once, before the first, and coefficients were
 * at setup. */
#ifndef GMG_OPENMP_REGION_H
#define GMG_OPENMP_REGION_H

#include "runtime/launch.h"

/* One kernel of a pass. A stage on the coarse level (restriction) visits a coarse plane when the
 * last of its fine planes is due. */
struct gmg_stage {
  struct gmg_call *call;
  struct gmg_kernel_args args;
  int lag;    /* planes behind the first stage */
  int extent; /* ghosts along j and k that it visits too, where there are neighbours */
  /* fields, by bit, whose ghosts along a periodic i, or beyond walls, follow what it writes */
  uint64_t followed;
  uint64_t first; /* fields, by bit, that no stage before it touches */
  void *const *
    hi; /* NULL: a stage on the pass's own level; else by box the last fine plane of a coarse one */
  void *const *hi_row; /* and the last fine row of a coarse row */
  double seconds;      /* spent by the first thread */
};

/* What it visits of a box: rows and planes [0] to [1]. */
struct gmg_span {
  int row[2], plane[2];
};

/* Planes and rows alike: what is read around a point along k or j. */
int gmg_region_reach(const struct gmg_field_descriptor *field);
/* Settles the extents. Returns 0 where ghosts are not deep enough for all of the stages. */
int gmg_region_plan(struct gmg_stage *stage, int stages, const struct gmg_level *level);
struct gmg_span gmg_region_span(const struct gmg_stage *stage, const struct gmg_level *level,
                                int box);
/* Fills the ghosts that the stages find. Calls: collective over the ranks of the level. An MPI
 * failure stays in the context. */
void gmg_region_exchange(const struct gmg_stage *stage, int stages, struct gmg_level *level);

#endif
