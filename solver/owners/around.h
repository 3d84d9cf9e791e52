/* What lies around a piece: the cells that it is coupled with, and who owns them so far. */
#ifndef GMG_AROUND_H
#define GMG_AROUND_H

#include "pieces.h"

/* A block that a piece may go to. */
struct gmg_candidate {
  int block[3];
  double coupling;
};

struct gmg_around {
  struct gmg_block_cells cells; /* of its block */
  int cell[GMG_BLOCK_CELLS], count;
  double diagonal, out, in; /* the sum of its couplings, and of those inside its block */
  struct gmg_candidate candidate[GMG_BLOCK_CELLS * GMG_NEIGHBOURS]; /* owners of neighbours */
  int candidates;
  /* blocks, elected or their own, of all neighbours */
  int near[GMG_BLOCK_CELLS * GMG_NEIGHBOURS][3], nears;
};

/* Looks at all neighbours of the piece of a block that begins with a cell. */
void gmg_look_around(const struct gmg_pieces *pieces, const int block[3], size_t first,
                     struct gmg_around *around);

#endif
