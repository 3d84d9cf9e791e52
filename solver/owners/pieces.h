/* Pieces: the parts of a block whose cells are strongly coupled, and which a coarse value can stand
 * for. */
#ifndef GMG_PIECES_H
#define GMG_PIECES_H

#include "blocks.h"
#include "links.h"

/* What is known of a cell, in a byte: the code of its owner once that is elected; which piece of
 * its block it belongs to, by the first of the piece's cells in the list of the block's (8 cells at
 * most); until its block's pieces are found, whether it is part of a small rigid body. */
enum {
  GMG_CODE = 7,
  GMG_LABEL_SHIFT = 3,
  GMG_LABEL = 7 << GMG_LABEL_SHIFT,
  GMG_RIGID = 1 << 6,
  GMG_ELECTED = 1 << 7,
  GMG_UNOWNED = GMG_ELECTED | GMG_RIGID, /* it has no owner, and no piece */
  GMG_EMPTY = 255 /* likewise, as its diagonal is 0: it owns nothing of the finer level */
};

struct gmg_pieces {
  const struct gmg_links *links;
  const struct gmg_blocks *blocks;
  int threads;
  unsigned char *state; /* of every cell */
  uint16_t *strong;     /* of every cell: bit n is set where link n is strong */
  unsigned char *count; /* of every block, its pieces */
  double *held;         /* of every block: the sum of the diagonal over the cells that it owns */
  /* Of every layer of blocks across z, and one more: pieces of blocks that have several; their
   * neighbours. */
  size_t *layer_pieces, *layer_beside;
};

static inline int gmg_label(const struct gmg_pieces *pieces, size_t at)
{
  return (pieces->state[at] & GMG_LABEL) >> GMG_LABEL_SHIFT;
}

static inline int gmg_is_unowned(const struct gmg_pieces *pieces, size_t at)
{
  return (pieces->state[at] & GMG_UNOWNED) == GMG_UNOWNED;
}

/* Whether a cell is of the piece with that label in its block. */
static inline int gmg_is_of_piece(const struct gmg_pieces *pieces, size_t at, int label)
{
  return gmg_label(pieces, at) == label && !gmg_is_unowned(pieces, at);
}

/* The cells of a block, in the order of their places in the level, without empty ones. */
struct gmg_block_cells {
  int count;
  size_t at[GMG_BLOCK_CELLS];
  int cell[GMG_BLOCK_CELLS][3];
};
void gmg_block_list(const struct gmg_pieces *pieces, const int block[3],
                    struct gmg_block_cells *list);

/* Finds the pieces of all blocks; the cells of a block that is one piece are its own. Returns -1
 * out of memory. Memory: keeps links, blocks and state, which is as long as there are cells;
 * gmg_pieces_clear frees the rest. */
int gmg_pieces_find(struct gmg_pieces *pieces, const struct gmg_links *links,
                    const struct gmg_blocks *blocks, int threads, unsigned char *state);
void gmg_pieces_clear(struct gmg_pieces *pieces);

/* Cells are strongly coupled where the coupling is at least this part of the strongest of both. */
#define GMG_STRONG 0.25
/* A coarse value stands for two pieces where what couples them is at least this part of the smaller
 * of their diagonals: the smoother holds the rest. */
#define GMG_HELD_PART 0.2

/* Notes which links are strong, which cells are empty, and which blocks are one piece because all
 * links along axes inside them are strong; counts no pieces of others. Returns -1 out of memory. */
int gmg_strength_note(struct gmg_pieces *pieces);

/* Marks the cells of small rigid bodies, but for those whose owners are known: parts of strongly
 * coupled cells that are at most GMG_BODY_WIDTH cells wide and loosely coupled with all else.
 * Returns -1 out of memory. */
enum { GMG_BODY_WIDTH = 12 };
int gmg_rigid_mark(struct gmg_pieces *pieces);

#endif
