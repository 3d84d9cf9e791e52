/* Where the lines of a level hold the same from row to row and from cell to cell: kernels then read
 * them once. */
#ifndef GMG_UNIFORM_RUNS_H
#define GMG_UNIFORM_RUNS_H

#include "level.h"

/* Per local box, from the lines that the level has: widths, distances, factors of ghosts. Lives as
 * long as `take`n by gmg_free, in one piece. NULL: out of memory. */
struct gmg_uniform_runs *gmg_uniform_runs_create(struct gmg_level *level);

#endif
