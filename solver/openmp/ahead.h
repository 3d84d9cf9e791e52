/* What the stages of a pass are to find in cache when they get to the next planes. */
#ifndef GMG_OPENMP_AHEAD_H
#define GMG_OPENMP_AHEAD_H

#include "strips.h"

/* Whether fields of so many bytes per cell leave the cache before they are needed again. */
int gmg_ahead_pays(const struct gmg_level *level, size_t cell_bytes);
/* Finds the fields that each stage is the first to touch. */
void gmg_ahead_plan(struct gmg_stage *stage, int stages);
/* Rows that no stage of a strip has touched at `front`, and that some touch at the next front:
 * those of the stage that gets to a field first, and of each stage after it the lowest or the
 * highest one, where its borders move on with the lag; and of coarser levels what an interpolation
 * reads and a restriction writes. span: where the stages run in the strip. */
void gmg_ahead_of(struct gmg_ahead *ahead, const struct gmg_stage *stage,
                  const struct gmg_span *span, int stages, const struct gmg_level *level,
                  const struct gmg_strip *strip, int front);

#endif
