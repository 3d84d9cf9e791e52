#include "election.h"

#include "around.h"
#include "system/memory.h"

/* A piece leaves its block for one that couples this many times more strongly with it. */
#define STRONGER 4.0
enum { LEAST_SHARED = 256 }; /* pieces of a group that several threads share */

static void elect(struct gmg_ballot *ballot, const struct gmg_piece *piece)
{
  struct gmg_around around;
  struct gmg_hold inside = {NULL, 0, 0}, outside = {NULL, 0, 0};
  const int *own = around.block;
  gmg_look_around(ballot, piece, &around);
  for (int c = 0; c < around.candidates; c++) {
    const struct gmg_owner_candidate *to = &around.candidate[c];
    if (!gmg_block_near(ballot->pieces.blocks, own, to->block))
      continue; /* another thread may be at it */
    const struct gmg_hold hold = gmg_hold_of(ballot, piece, to);
    if (gmg_same_block(to->block, own))
      inside = hold;
    else if (hold.part > outside.part && gmg_may_go(ballot, &around, to->block))
      outside = hold;
  }
  const int in = inside.block && inside.part >= GMG_HELD_PART,
            out = outside.block && outside.part >= GMG_HELD_PART;
  if (!ballot->taken[gmg_block_at(ballot->pieces.blocks, own)])
    gmg_give(ballot, &around, out && outside.coupling > STRONGER * piece->in ? outside.block : own);
  else if (in && STRONGER * inside.coupling >= outside.coupling)
    gmg_give(ballot, &around, own);
  else if (out)
    gmg_give(ballot, &around, outside.block);
  else if (in)
    gmg_give(ballot, &around, own);
  else {
    gmg_give(ballot, &around, outside.part > inside.part ? outside.block : own);
    ballot->forced[piece - ballot->turns.piece] = 1;
  }
}

/* The place from n on whose piece is of another block than the one before it. */
static size_t next_block(const struct gmg_ballot *ballot, size_t n, size_t end)
{
  const struct gmg_pieces *p = &ballot->pieces;
  const struct gmg_turns *turns = &ballot->turns;
  int cell[3], one[3], two[3];
  for (; n > 0 && n < end; n++) {
    gmg_links_cell(p->links, turns->piece[turns->order[n - 1]].first, cell);
    gmg_block_of(p->blocks, cell, one);
    gmg_links_cell(p->links, turns->piece[turns->order[n]].first, cell);
    gmg_block_of(p->blocks, cell, two);
    if (!gmg_same_block(one, two))
      break;
  }
  return n;
}

/* Fetches what pieces soon to come need, which lies far apart in memory. */
static void fetch(const struct gmg_ballot *ballot, const uint32_t *order, size_t left)
{
  enum { PIECE = 16, BESIDE = 8, OWNERS = 4, IN_LINE = 4 };
  const struct gmg_pieces *p = &ballot->pieces;
  if (left > PIECE)
    __builtin_prefetch(&ballot->turns.piece[order[PIECE]]);
  if (left > BESIDE) {
    const struct gmg_piece *piece = &ballot->turns.piece[order[BESIDE]];
    for (size_t n = piece->beside; n < piece[1].beside; n += IN_LINE)
      __builtin_prefetch(&ballot->turns.beside[n]);
  }
  if (left > OWNERS) {
    const struct gmg_piece *piece = &ballot->turns.piece[order[OWNERS]];
    int cell[3], block[3];
    gmg_links_cell(p->links, piece->first, cell);
    gmg_block_of(p->blocks, cell, block);
    const size_t here = gmg_block_at(p->blocks, block);
    __builtin_prefetch(&p->held[here]);
    __builtin_prefetch(&ballot->taken[here]);
    for (size_t n = piece->beside; n < piece[1].beside; n++)
      __builtin_prefetch(&p->state[ballot->turns.beside[n].at]);
  }
}

/* Elects the pieces of a group, in their order or, by several threads, block by block. */
static void elect_group(struct gmg_ballot *ballot, size_t begin, size_t end)
{
  const struct gmg_turns *turns = &ballot->turns;
  const int threads = turns->meet || end - begin < LEAST_SHARED ? 1 : ballot->pieces.threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (int part = 0; part < threads; part++) {
    const size_t count = end - begin, parts = (size_t)threads, own = (size_t)part;
    const size_t first = begin + count * own / parts,
                 last = next_block(ballot, begin + count * (own + 1) / parts, end);
    for (size_t n = part > 0 ? next_block(ballot, first, end) : first; n < last; n++) {
      fetch(ballot, &turns->order[n], turns->pieces - n);
      elect(ballot, &turns->piece[turns->order[n]]);
    }
  }
}

/* Turns what is known of cells into the codes of their owners, and counts cells that were given to
 * other blocks than their own. */
static size_t end_election(const struct gmg_pieces *p)
{
  const size_t cells = gmg_links_count(p->links);
  unsigned char *state = p->state;
  size_t given = 0;
#pragma omp parallel for schedule(static) num_threads(p->threads) reduction(+ : given)
  for (size_t at = 0; at < cells; at++) {
    const unsigned char was = state[at];
    given += was != GMG_EMPTY && was != GMG_UNOWNED && (was & GMG_CODE) != GMG_OWN_BLOCK;
    state[at] = (unsigned char)(was == GMG_EMPTY       ? GMG_OWN_BLOCK
                                  : was == GMG_UNOWNED ? GMG_NO_OWNER
                                                       : was & GMG_CODE);
  }
  return given;
}

static int elect_all(struct gmg_ballot *ballot, struct gmg_election *election)
{
  const size_t blocks = gmg_blocks_count(ballot->pieces.blocks);
  for (size_t b = 0; b < blocks; b++)
    ballot->taken[b] = ballot->pieces.count[b] == 1;
  if (gmg_turns_list(&ballot->pieces, &ballot->turns))
    return -1;
  const size_t pieces = ballot->turns.pieces;
  ballot->forced = gmg_calloc(pieces + 1, 1);
  for (size_t g = 0; ballot->forced && g < ballot->turns.groups; g++)
    elect_group(ballot, ballot->turns.group[g], ballot->turns.group[g + 1]);
  for (size_t n = 0; ballot->forced && n < pieces; n++)
    election->forced += ballot->forced[n];
  const ptrdiff_t freed = ballot->forced && election->forced ? gmg_make_room(ballot) : 0;
  const int failed = !ballot->forced || freed < 0;
  gmg_free(ballot->forced);
  gmg_turns_clear(&ballot->turns);
  if (failed)
    return -1;
  election->forced -= (size_t)freed;
  election->given_cells = end_election(&ballot->pieces);
  return 0;
}

int gmg_elect_owners(const struct gmg_links *links, const struct gmg_blocks *blocks, int threads,
                     unsigned char *owner, struct gmg_election *election)
{
  struct gmg_ballot ballot = {.taken = gmg_malloc(gmg_blocks_count(blocks))};
  *election = (struct gmg_election){0, 0};
  const int failed = !ballot.taken || gmg_pieces_find(&ballot.pieces, links, blocks, threads, owner)
    || elect_all(&ballot, election);
  gmg_pieces_clear(&ballot.pieces);
  gmg_free(ballot.taken);
  return failed ? -1 : 0;
}
