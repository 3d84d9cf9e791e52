/* The pieces of blocks that have several, with what lies around each, and the order in which they
 * elect. */
#ifndef GMG_TURNS_H
#define GMG_TURNS_H

#include "pieces.h"

/* A neighbour of a piece: where its block is from the piece's, -1 to 1 along each axis, and on
 * which side of that block it lies, both as digits of a number: 9 (z + 1) + 3 (y + 1) + x + 1. */
struct gmg_beside {
  double coupling;
  uint32_t at;
  unsigned char step, side;
};
enum { GMG_NO_STEP = 13 };

struct gmg_piece {
  uint32_t first, group; /* its first cell; the order of its turn */
  size_t beside;         /* where its neighbours begin; those of the next piece follow */
  double diagonal, in;   /* sums over its cells, and of its couplings inside its block */
};

/* Pieces of one group that are of different blocks do not meet in what they decide, unless `meet`
 * is 1; those of one block stand beside each other in it. */
struct gmg_turns {
  size_t pieces, groups;
  struct gmg_piece *piece; /* block by block, and one more, for its `beside` */
  struct gmg_beside *beside;
  uint32_t *order; /* of pieces */
  size_t *group;   /* where in it each group begins, and the last one ends */
  int meet;
};

/* Returns -1 out of memory. Memory: gmg_turns_clear frees it. */
int gmg_turns_list(const struct gmg_pieces *pieces, struct gmg_turns *turns);
void gmg_turns_clear(struct gmg_turns *turns);

#endif
