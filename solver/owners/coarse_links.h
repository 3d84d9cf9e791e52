/* The operator of the next coarser level, from owners. */
#ifndef GMG_COARSE_LINKS_H
#define GMG_COARSE_LINKS_H

#include "blocks.h"
#include "links.h"

/* Couplings in a direction that is coarsened reach twice as far, and are this much weaker. */
#define GMG_COARSE_FACTOR 0.55

/* Which directions are coarsened: those whose couplings, by their geometric mean, are at least
 * GMG_WEAK_PART of the strongest direction's, and that have more than one cell. Returns -1 out of
 * memory. */
#define GMG_WEAK_PART 0.2
int gmg_links_directions(const struct gmg_links *links, int threads, int coarsened[3]);

/* The part of the cells and axes where the couplings on both sides differ by more than half of
 * GMG_STEP_RATIO, as they do where β differs by more than that between neighbours. */
#define GMG_STEP_RATIO 50.0
double gmg_links_rough(const struct gmg_links *links, int threads);

/* Sums couplings between different owners, times GMG_COARSE_FACTOR where they cross a coarsened
 * direction, and walls and masses, into `coarse`, which was allocated, all of it 0. */
void gmg_links_coarsen(const struct gmg_links *links, const struct gmg_blocks *blocks,
                       const int coarsened[3], const unsigned char *owner, int threads,
                       struct gmg_links *coarse);
/* Adds up what couples a cell with nothing, in place of its mass, and frees walls: 1 where it is
 * coupled with no cell and owns nothing, so that it stays 0. Returns -1 out of memory. */
int gmg_links_anchor(struct gmg_links *links, int threads);

#endif
