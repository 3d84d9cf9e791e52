/* Pieces: the parts of a block whose cells are strongly coupled, and which a coarse value can stand
 * for. */
#ifndef GMG_PIECES_H
#define GMG_PIECES_H

#include "blocks.h"
#include "links.h"

struct gmg_pieces {
  const struct gmg_links *links;
  const struct gmg_blocks *blocks;
  int threads;
  double *strongest, *diagonal; /* of every cell: its strongest coupling; the operator's diagonal */
  unsigned char *rigid;         /* 1: the cell is part of a small rigid body */
  /* Which piece of its block a cell belongs to: the first of the piece's cells, by its place in the
   * block. */
  unsigned char *label;
  unsigned char *count; /* of every block, its pieces */
};

/* The cells of a block, in the order of their places in the level; without those of diagonal 0,
 * which own nothing of the finer level. */
struct gmg_block_cells {
  int count;
  size_t at[GMG_BLOCK_CELLS];
  int cell[GMG_BLOCK_CELLS][3];
};
void gmg_block_list(const struct gmg_pieces *pieces, const int block[3],
                    struct gmg_block_cells *list);

/* Finds the pieces of all blocks. Returns -1 out of memory. Memory: keeps links and blocks;
 * gmg_pieces_clear frees the rest. */
int gmg_pieces_find(struct gmg_pieces *pieces, const struct gmg_links *links,
                    const struct gmg_blocks *blocks, int threads);
void gmg_pieces_clear(struct gmg_pieces *pieces);

/* Cells are strongly coupled where the coupling is at least this part of the strongest of both. */
#define GMG_STRONG 0.25
/* A coarse value stands for two pieces where what couples them is at least this part of the smaller
 * of their diagonals: the smoother holds the rest. */
#define GMG_HELD_PART 0.2

/* Marks the cells of small rigid bodies: parts of strongly coupled cells that are at most
 * GMG_BODY_WIDTH cells wide and loosely coupled with all else. Returns -1 out of memory. */
enum { GMG_BODY_WIDTH = 12 };
int gmg_rigid_mark(const struct gmg_links *links, const double *strongest, unsigned char *rigid);

#endif
