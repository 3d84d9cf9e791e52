/* Ghosts that follow what a stage of a pass has just written, with nothing exchanged: along a
 * periodic i the other end of the row; beyond walls, for operators whose ghosts are formulas there,
 * a multiple of the mirror cell, by i, then j, then k over edges and corners, as an exchange fills
 * them. */
#ifndef GMG_OPENMP_FOLLOW_H
#define GMG_OPENMP_FOLLOW_H

#include "region.h"

/* After a tile of a stage: the ghosts of all fields that say so (gmg_stage.followed). */
void gmg_follow(const struct gmg_stage *stage, const struct gmg_level *level,
                const struct gmg_tile *tile);

#endif
