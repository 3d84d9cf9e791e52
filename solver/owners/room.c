#include "around.h"

#include "system/memory.h"

/* What adding and taking away diagonals leaves of them, at most. */
#define ROUNDING 1e-9

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

/* The pieces of one owner, at most so many, with what lies around them. Those that are bound to
 * each other are of one group. */
enum { MOST_PIECES = 48 };
struct owned {
  int count, owner[3];
  uint32_t piece[MOST_PIECES];
  int group[MOST_PIECES]; /* the number of its first piece here */
  struct gmg_around around[MOST_PIECES];
};

/* Pieces whose coupling is at least this part of the larger of their diagonals are bound: parts of
 * one body, which stay together. */
#define BOUND_PART 0.05

/* The nth of the 27 blocks around one; 0: there is none. */
static int block_around(const struct gmg_blocks *blocks, const int block[3], int n, int near[3])
{
  int inside = 1;
  for (int d = 0; d < 3; d++, n /= 3) {
    near[d] = block[d] + n % 3 - 1;
    if (blocks->periodic[d] && blocks->cells[d] > 2)
      near[d] = (near[d] + blocks->cells[d]) % blocks->cells[d];
    inside &= near[d] >= 0 && near[d] < blocks->cells[d];
  }
  return inside;
}

/* Lists a piece, in the group of those listed before that it is bound to. */
static void list_piece(const struct gmg_ballot *ballot, uint32_t number, struct owned *owned)
{
  const int own = owned->count++;
  struct gmg_around *around = &owned->around[own];
  gmg_look_around(ballot, &ballot->turns.piece[number], around);
  owned->piece[own] = number;
  owned->group[own] = own;
  for (int n = 0; n < own; n++) {
    const struct gmg_piece *other = owned->around[n].piece;
    const int joined = owned->group[own], group = owned->group[n];
    const double most = gmg_most(other->diagonal, around->piece->diagonal);
    if (group == joined || coupling_of(ballot, other, around) < BOUND_PART * most)
      continue;
    for (int m = 0; m <= own; m++)
      if (owned->group[m] == joined || owned->group[m] == group)
        owned->group[m] = gmg_smaller(joined, group);
  }
}

/* Lists the pieces of an owner. Returns 0 where there are too many. */
static int list_owned(const struct gmg_ballot *ballot, const uint32_t *first, struct owned *owned)
{
  int block[3], other[3];
  owned->count = 0;
  for (int b = 0; b < 27; b++) {
    if (!block_around(ballot->pieces.blocks, owned->owner, b, block))
      continue;
    const size_t at = gmg_block_at(ballot->pieces.blocks, block);
    for (uint32_t n = first[at]; n < first[at + 1]; n++) {
      gmg_piece_owner(ballot, &ballot->turns.piece[n], other);
      if (!gmg_same_block(owned->owner, other))
        continue;
      if (owned->count == MOST_PIECES)
        return 0;
      list_piece(ballot, n, owned);
    }
  }
  return 1;
}

/* How well a block holds a group, or would hold it: what couples the group with all else that the
 * block owns, over the lesser of their diagonals; 0: it may not go there; 1: nothing else is there.
 */
static double hold_of_group(const struct gmg_ballot *ballot, const struct owned *owned, int group,
                            const int to[3])
{
  const int stays = gmg_same_block(owned->owner, to);
  double coupling = 0, diagonal = 0;
  for (int n = group; n < owned->count; n++) {
    const struct gmg_around *around = &owned->around[n];
    if (owned->group[n] != group)
      continue;
    if (!stays && !gmg_may_go(ballot, around, to))
      return 0;
    diagonal += around->piece->diagonal;
    for (int c = 0; c < around->candidates; c++)
      if (gmg_same_block(around->candidate[c].block, to))
        coupling += around->candidate[c].coupling;
    for (int m = group; m < owned->count && stays; m++)
      if (m != n && owned->group[m] == group)
        coupling -= coupling_of(ballot, owned->around[m].piece, around);
  }
  const double held = ballot->pieces.held[gmg_block_at(ballot->pieces.blocks, to)],
               rest = stays ? held - diagonal : held;
  return rest > ROUNDING * held ? coupling / gmg_least(diagonal, rest) : 1;
}

/* A group that its owner does not hold may go to one that holds it as well as this, and at least
 * so many times better. */
#define MOVED_PART 0.1
#define BETTER 2.0

/* A group, and the owner that would hold it best. */
struct way {
  int group, to[3];
  double part; /* 0: there is none */
};

/* Notes where a group would be held best, if that is better than the ways found so far. */
static void look_for_way(const struct gmg_ballot *ballot, const struct owned *owned, int group,
                         struct way *way)
{
  const double now = hold_of_group(ballot, owned, group, owned->owner);
  int block[3];
  for (int b = 0; b < 27 && now < GMG_HELD_PART; b++) {
    if (!block_around(ballot->pieces.blocks, owned->owner, b, block)
        || gmg_same_block(block, owned->owner))
      continue;
    const double part = hold_of_group(ballot, owned, group, block);
    if (part < MOVED_PART || part <= way->part || part < BETTER * now)
      continue;
    way->group = group;
    way->part = part;
    memcpy(way->to, block, sizeof block);
  }
}

static void move_group(struct gmg_ballot *ballot, const struct owned *owned, const struct way *way)
{
  const size_t from = gmg_block_at(ballot->pieces.blocks, owned->owner);
  for (int n = way->group; n < owned->count; n++) {
    if (owned->group[n] != way->group)
      continue;
    ballot->pieces.held[from] -= owned->around[n].piece->diagonal;
    gmg_give(ballot, &owned->around[n], way->to);
  }
}

/* Moves groups that the owner of a forced piece does not hold to others that do, the best held
 * first. Returns whether the piece's group is held then. */
static int free_owner(struct gmg_ballot *ballot, const struct gmg_piece *forced,
                      const uint32_t *first, struct owned *owned)
{
  enum { MOST_MOVES = 16 };
  struct way way = {.part = 1};
  int own = 0, gone = 0;
  for (int moves = 0; moves <= MOST_MOVES && way.part > 0 && !gone; moves++) {
    if (!list_owned(ballot, first, owned))
      return 0;
    for (own = 0; owned->around[own].piece != forced; own++)
      ;
    way.part = 0;
    for (int g = 0; g < owned->count && moves < MOST_MOVES; g++)
      if (owned->group[g] == g)
        look_for_way(ballot, owned, g, &way);
    if (way.part > 0)
      move_group(ballot, owned, &way);
    gone = way.part > 0 && way.group == owned->group[own];
  }
  return gone || hold_of_group(ballot, owned, owned->group[own], owned->owner) >= GMG_HELD_PART;
}

/* Owners of one colour do not meet: room is made in blocks beside one, with a look at those beside
 * them. */
enum { COLOURS = 4, ALL_COLOURS = COLOURS * COLOURS * COLOURS, LEAST_SHARED = 2048 };

/* Forced pieces by their owners. */
struct forced {
  uint32_t *first; /* of every block, the first one that it owns; NONE */
  uint32_t *next;  /* of every piece, the next one of its owner; NONE */
};
static const uint32_t NONE = UINT32_MAX;

static int list_forced(const struct gmg_ballot *ballot, struct forced *forced)
{
  const size_t blocks = gmg_blocks_count(ballot->pieces.blocks);
  forced->first = gmg_malloc(blocks * sizeof *forced->first);
  forced->next = gmg_malloc((ballot->turns.pieces + 1) * sizeof *forced->next);
  if (!forced->first || !forced->next)
    return -1;
  for (size_t b = 0; b < blocks; b++)
    forced->first[b] = NONE;
  for (size_t n = ballot->turns.pieces; n-- > 0;) {
    int owner[3];
    if (!ballot->forced[n])
      continue;
    gmg_piece_owner(ballot, &ballot->turns.piece[n], owner);
    uint32_t *const of_owner = &forced->first[gmg_block_at(ballot->pieces.blocks, owner)];
    forced->next[n] = *of_owner;
    *of_owner = (uint32_t)n;
  }
  return 0;
}

/* Returns how many forced pieces of an owner are held then. */
static size_t free_block(struct gmg_ballot *ballot, const struct forced *forced,
                         const uint32_t *first, const int block[3], struct owned *owned)
{
  size_t freed = 0;
  for (uint32_t n = forced->first[gmg_block_at(ballot->pieces.blocks, block)]; n != NONE;
       n = forced->next[n]) {
    const struct gmg_piece *piece = &ballot->turns.piece[n];
    gmg_piece_owner(ballot, piece, owned->owner);
    freed +=
      !gmg_same_block(block, owned->owner) || free_owner(ballot, piece, first, owned); /* or gone */
  }
  return freed;
}

/* Frees owners in the blocks of one colour in one layer of them. */
static size_t free_layer(struct gmg_ballot *ballot, const struct forced *forced,
                         const uint32_t *first, int colour, int k, struct owned *owned)
{
  const int *cells = ballot->pieces.blocks->cells;
  size_t freed = 0;
  for (int j = colour / COLOURS % COLOURS; j < cells[1]; j += COLOURS)
    for (int i = colour % COLOURS; i < cells[0]; i += COLOURS)
      freed += free_block(ballot, forced, first, (int[3]){i, j, k}, owned);
  return freed;
}

/* Frees owners in the blocks of one colour, by several threads. */
static size_t free_colour(struct gmg_ballot *ballot, const struct forced *forced,
                          const uint32_t *first, int colour, int threads, struct owned *owned)
{
  const int begin = colour / (COLOURS * COLOURS),
            layers = (ballot->pieces.blocks->cells[2] - begin + COLOURS - 1) / COLOURS;
  size_t freed = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1) reduction(+ : freed)
  for (int part = 0; part < threads; part++)
    for (int n = layers * part / threads; n < layers * (part + 1) / threads; n++)
      freed += free_layer(ballot, forced, first, colour, begin + COLOURS * n, &owned[part]);
  return freed;
}

ptrdiff_t gmg_make_room(struct gmg_ballot *ballot)
{
  const struct gmg_blocks *blocks = ballot->pieces.blocks;
  struct forced forced = {NULL, NULL};
  size_t freed = 0;
  int threads = gmg_blocks_count(blocks) < LEAST_SHARED ? 1 : ballot->pieces.threads;
  for (int d = 0; d < 3; d++)
    threads = blocks->periodic[d] && blocks->cells[d] % COLOURS ? 1 : threads;
  uint32_t *first = list_blocks(ballot);
  struct owned *owned = gmg_malloc((size_t)threads * sizeof *owned);
  const int failed = !first || !owned || list_forced(ballot, &forced);
  for (int colour = 0; colour < ALL_COLOURS && !failed; colour++)
    freed += free_colour(ballot, &forced, first, colour, threads, owned);
  gmg_free(first);
  gmg_free(owned);
  gmg_free(forced.first);
  gmg_free(forced.next);
  return failed ? -1 : (ptrdiff_t)freed;
}
