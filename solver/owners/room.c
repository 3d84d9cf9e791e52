#include "around.h"

#include "system/memory.h"

/* Where the pieces of each block begin, and after the last one, where they end. */
static uint32_t *list_blocks(const struct gmg_ballot *ballot)
{
  const struct gmg_pieces *p = &ballot->pieces;
  const struct gmg_turns *turns = &ballot->turns;
  const size_t blocks = gmg_blocks_count(p->blocks);
  uint32_t *first = gmg_malloc((blocks + 1) * sizeof *first);
  size_t next = 0;
  for (size_t n = 0; first && n < turns->pieces; n++) {
    int cell[3], block[3];
    gmg_links_cell(p->links, turns->piece[n].first, cell);
    gmg_block_of(p->blocks, cell, block);
    for (const size_t b = gmg_block_at(p->blocks, block); next <= b; next++)
      first[next] = (uint32_t)n;
  }
  for (; first && next <= blocks; next++)
    first[next] = (uint32_t)turns->pieces;
  return first;
}

/* What couples two pieces. */
static double coupling_of(const struct gmg_ballot *ballot, const struct gmg_piece *one,
                          const struct gmg_around *two)
{
  double coupling = 0;
  for (size_t n = one->beside; n < one[1].beside; n++)
    for (int c = 0; c < two->count; c++)
      if (two->cells.at[two->cell[c]] == ballot->turns.beside[n].at)
        coupling += ballot->turns.beside[n].coupling;
  return coupling;
}

/* Moves a piece from its owner to the one that holds it best, if one does. */
static int move(struct gmg_ballot *ballot, const struct gmg_around *around, const int from[3])
{
  const struct gmg_piece *piece = around->piece;
  struct gmg_hold best = {NULL, 0, 0};
  for (int c = 0; c < around->candidates; c++) {
    const struct gmg_hold hold = gmg_hold_of(ballot, piece, &around->candidate[c]);
    if (hold.part >= GMG_HELD_PART && hold.part > best.part && !gmg_same_block(hold.block, from)
        && gmg_may_go(ballot, around, hold.block))
      best = hold;
  }
  if (!best.block)
    return 0;
  ballot->pieces.held[gmg_block_at(ballot->pieces.blocks, from)] -= piece->diagonal;
  gmg_give(ballot, around, best.block);
  return 1;
}

/* Pieces that were moved from the owner of a forced one, and how many stay beside it that do not
 * hold it. */
enum { MOST_MOVES = 32 };
struct moves {
  int count, left;
  uint32_t piece[MOST_MOVES];
};

/* Moves those of one block's pieces that `owner` owns, and that do not hold the forced one. */
static void move_all(struct gmg_ballot *ballot, const struct gmg_piece *forced, const int owner[3],
                     uint32_t begin, uint32_t end, struct moves *moves)
{
  struct gmg_around around;
  int other[3];
  for (uint32_t n = begin; n < end; n++) {
    const struct gmg_piece *piece = &ballot->turns.piece[n];
    gmg_piece_owner(ballot, piece, other);
    if (piece == forced || !gmg_same_block(owner, other))
      continue;
    gmg_look_around(ballot, piece, &around);
    const double least = gmg_least(piece->diagonal, forced->diagonal);
    if (coupling_of(ballot, forced, &around) >= GMG_HELD_PART * least)
      continue;
    if (moves->count < MOST_MOVES && move(ballot, &around, owner))
      moves->piece[moves->count++] = n;
    else
      moves->left++;
  }
}

/* Moves pieces back to the owner that they had. */
static void move_back(struct gmg_ballot *ballot, const int owner[3], struct moves *moves)
{
  struct gmg_around around;
  int other[3];
  while (moves->count > 0) {
    const struct gmg_piece *piece = &ballot->turns.piece[moves->piece[--moves->count]];
    gmg_piece_owner(ballot, piece, other);
    gmg_look_around(ballot, piece, &around);
    ballot->pieces.held[gmg_block_at(ballot->pieces.blocks, other)] -= piece->diagonal;
    gmg_give(ballot, &around, owner);
  }
}

/* Whether what else its owner has holds a piece, or there is nothing else. */
static int is_held(const struct gmg_ballot *ballot, const struct gmg_piece *piece,
                   const int owner[3])
{
  struct gmg_around around;
  const double rest =
    ballot->pieces.held[gmg_block_at(ballot->pieces.blocks, owner)] - piece->diagonal;
  double coupling = 0;
  gmg_look_around(ballot, piece, &around);
  for (int c = 0; c < around.candidates; c++)
    if (gmg_same_block(around.candidate[c].block, owner))
      coupling = around.candidate[c].coupling;
  return coupling >= GMG_HELD_PART * gmg_least(piece->diagonal, rest);
}

/* Moves pieces that do not hold a forced one from its owner, if what stays holds it then. Returns
 * whether it does. */
static int free_owner(struct gmg_ballot *ballot, const struct gmg_piece *forced,
                      const uint32_t *first)
{
  enum { TURNS = 2 }; /* what moved may hold what did not */
  const struct gmg_blocks *blocks = ballot->pieces.blocks;
  struct moves moves = {.left = 1};
  int owner[3];
  gmg_piece_owner(ballot, forced, owner);
  for (int turn = 0; turn < TURNS && moves.left; turn++) {
    moves.left = 0;
    for (int step = 0; step < 27; step++) {
      int block[3], inside = 1, digits = step;
      for (int d = 0; d < 3; d++, digits /= 3) {
        block[d] = owner[d] + digits % 3 - 1;
        if (blocks->periodic[d] && blocks->cells[d] > 2)
          block[d] = (block[d] + blocks->cells[d]) % blocks->cells[d];
        inside &= block[d] >= 0 && block[d] < blocks->cells[d];
      }
      const size_t at = inside ? gmg_block_at(blocks, block) : 0;
      if (inside)
        move_all(ballot, forced, owner, first[at], first[at + 1], &moves);
    }
  }
  const int held = is_held(ballot, forced, owner);
  if (!held)
    move_back(ballot, owner, &moves);
  return held;
}

ptrdiff_t gmg_make_room(struct gmg_ballot *ballot)
{
  ptrdiff_t freed = 0;
  uint32_t *first = list_blocks(ballot);
  for (size_t n = 0; first && n < ballot->turns.pieces; n++)
    if (ballot->forced[n])
      freed += free_owner(ballot, &ballot->turns.piece[n], first);
  const int failed = !first;
  gmg_free(first);
  return failed ? -1 : freed;
}
