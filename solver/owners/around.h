/* What lies around a piece in an election, and who owns it so far. */
#ifndef GMG_AROUND_H
#define GMG_AROUND_H

#include "pieces.h"
#include "system/order.h"
#include "turns.h"

#include <string.h>

struct gmg_ballot {
  struct gmg_pieces pieces;
  struct gmg_turns turns;
  unsigned char *taken;  /* 1: a block has an owner's cells */
  unsigned char *forced; /* of every piece that has a turn, 1: its owner does not hold it */
};

/* A block that a piece may go to. */
struct gmg_owner_candidate {
  int block[3];
  double coupling;
};

struct gmg_around {
  const struct gmg_piece *piece;
  struct gmg_block_cells cells; /* of its block */
  int block[3], cell[GMG_BLOCK_CELLS], count;
  struct gmg_owner_candidate candidate[GMG_BLOCK_CELLS * GMG_NEIGHBOURS]; /* owners of neighbours */
  int candidates;
  /* blocks, elected or their own, of all neighbours */
  int near[GMG_BLOCK_CELLS * GMG_NEIGHBOURS][3], nears;
};

void gmg_look_around(const struct gmg_ballot *ballot, const struct gmg_piece *piece,
                     struct gmg_around *around);
/* The owner of a piece that was elected. */
void gmg_piece_owner(const struct gmg_ballot *ballot, const struct gmg_piece *piece, int owner[3]);

/* Whether the piece lies on the side of its block where another one is, and coarse stencils still
 * reach one block far where it goes there. */
int gmg_may_go(const struct gmg_ballot *ballot, const struct gmg_around *around, const int to[3]);
/* Gives the piece to a block. */
void gmg_give(struct gmg_ballot *ballot, const struct gmg_around *around, const int to[3]);

/* How well a block holds a piece: by what it couples with what the block owns. */
struct gmg_hold {
  const int *block; /* NULL: none */
  double part, coupling;
};
static inline struct gmg_hold gmg_hold_of(const struct gmg_ballot *ballot,
                                          const struct gmg_piece *piece,
                                          const struct gmg_owner_candidate *to)
{
  const double held = ballot->pieces.held[gmg_block_at(ballot->pieces.blocks, to->block)],
               least = gmg_least(piece->diagonal, held);
  return (struct gmg_hold){to->block, to->coupling / least, to->coupling};
}

/* After all turns: moves pieces that share an owner with one that was forced on it, and do not hold
 * that, to other owners that hold them, if what stays holds it then. Returns how many forced pieces
 * are held; -1 out of memory. */
ptrdiff_t gmg_make_room(struct gmg_ballot *ballot);

#endif
