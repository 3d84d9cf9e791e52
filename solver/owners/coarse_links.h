/* The operator of the next coarser level, from owners. */
#ifndef GMG_COARSE_LINKS_H
#define GMG_COARSE_LINKS_H

#include "blocks.h"
#include "links.h"
#include "mesh/axis.h"

/* Couplings in a direction that is coarsened reach twice as far, and are this much weaker. */
#define GMG_COARSE_FACTOR 0.55

/* Which neighbours are paired: along an axis those that are up to width[] wide together. On about
 * equal cells all along the axes whose couplings, by their geometric mean, are at least
 * GMG_WEAK_PART of the strongest axis', and none along the others (uneven: 1); on stretched grids
 * those that are not much wider than others, where widths count less along an axis whose β is
 * larger in the mean (uneven: it differs by more than that part). merge: up to how many times the
 * least width of a pair; 0: the grid is not stretched. Returns -1 out of memory. */
#define GMG_WEAK_PART 0.2
struct gmg_pairs {
  double width[3];
  int uneven;
};
int gmg_links_pairs(const struct gmg_links *links, const struct gmg_axis axis[3], int level,
                    double merge, int threads, struct gmg_pairs *pairs);
/* That number for a grid. Returns -1 out of memory. */
int gmg_links_merge_width(const struct gmg_axis axis[3], double *merge);
/* Likewise, where couplings are not known. */
void gmg_links_expect_pairs(const struct gmg_axis axis[3], int level, double merge,
                            struct gmg_pairs *pairs);

/* Makes links of what others are without the widths of their cells, as β has them: bodies on
 * stretched grids are found in these. Returns -1 out of memory. Memory: gmg_links_clear frees it.
 */
int gmg_links_equalise(const struct gmg_links *links, const struct gmg_axis axis[3], int threads,
                       struct gmg_links *equal);

/* How much weaker couplings become because they reach further: between a block and the next one
 * along an axis, and with walls at the low and the high end. */
struct gmg_reach {
  double *between[3], wall[3][2];
};
/* Returns -1 out of memory. Memory: gmg_reach_clear frees it. */
int gmg_reach_find(const struct gmg_axis fine[3], const struct gmg_axis coarse[3],
                   const struct gmg_pairing pairing[3], const struct gmg_pairs *pairs,
                   int stretched, struct gmg_reach *reach);
void gmg_reach_clear(struct gmg_reach *reach);

/* Sums couplings between different owners, as weak as they become by their reach, and walls and
 * masses, into `coarse`, which was allocated, all of it 0. */
void gmg_links_coarsen(const struct gmg_links *links, const struct gmg_blocks *blocks,
                       const struct gmg_reach *reach, const unsigned char *owner, int threads,
                       struct gmg_links *coarse);
/* Adds up what couples a cell with nothing, in place of its mass, and frees walls: 1 where it is
 * coupled with no cell and owns nothing, so that it stays 0. Returns -1 out of memory. */
int gmg_links_anchor(struct gmg_links *links, int threads);

#endif
