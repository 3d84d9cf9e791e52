#include "election.h"

#include "system/memory.h"
#include "system/order.h"
#include "turns.h"

#include <string.h>

/* A piece leaves its block for one that couples this many times more strongly with it. */
#define STRONGER 4.0
enum { LEAST_SHARED = 256 }; /* pieces of a group that several threads share */

struct state {
  struct gmg_pieces pieces;
  struct gmg_turns turns;
  unsigned char *taken; /* 1: a block has an owner's cells */
};

/* A block that a piece may go to. */
struct candidate {
  int block[3];
  double coupling;
};

/* A piece, and who owns what lies around it so far. */
struct around {
  const struct gmg_piece *piece;
  struct gmg_block_cells cells; /* of its block */
  int block[3], cell[GMG_BLOCK_CELLS], count;
  struct candidate candidate[GMG_BLOCK_CELLS * GMG_NEIGHBOURS]; /* owners of neighbours */
  int candidates;
  /* blocks, elected or their own, of all neighbours */
  int near[GMG_BLOCK_CELLS * GMG_NEIGHBOURS][3], nears;
};

static void note_candidate(struct around *around, const int block[3], double coupling)
{
  int c = 0;
  while (c < around->candidates && !gmg_same_block(around->candidate[c].block, block))
    c++;
  if (c == around->candidates) {
    memcpy(around->candidate[c].block, block, sizeof around->candidate[c].block);
    around->candidate[c].coupling = 0;
    around->candidates++;
  }
  around->candidate[c].coupling += coupling;
}

static void note_near(struct around *around, const int block[3])
{
  for (int n = around->nears - 1; n >= 0; n--)
    if (gmg_same_block(around->near[n], block))
      return;
  memcpy(around->near[around->nears++], block, sizeof around->near[0]);
}

/* The steps of a number's digits (turns.h). */
static const signed char steps[27][3] = {
  {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1},  {1, 0, -1}, {-1, 1, -1},
  {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0},  {-1, 0, 0}, {0, 0, 0},
  {1, 0, 0},    {-1, 1, 0},  {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
  {-1, 0, 1},   {0, 0, 1},   {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1}};

/* The owner of a neighbour; where there is none yet, its block. */
static void owner_of(const struct state *s, const int block[3], const struct gmg_beside *beside,
                     int elected, int owner[3])
{
  const int code = elected ? s->pieces.state[beside->at] & GMG_CODE : GMG_OWN_BLOCK;
  for (int d = 0; d < 3; d++) {
    const int cells = s->pieces.blocks->cells[d],
              at = block[d] + steps[beside->step][d] + (code >> d & 1 ? steps[beside->side][d] : 0);
    owner[d] = at < 0 ? at + cells : at < cells ? at : at - cells;
  }
}

static void look_around(const struct state *s, const struct gmg_piece *piece, struct around *around)
{
  const struct gmg_pieces *p = &s->pieces;
  const int label = gmg_label(p, piece->first);
  int cell[3], owner[3];
  around->piece = piece;
  around->count = around->candidates = around->nears = 0;
  gmg_links_cell(p->links, piece->first, cell);
  gmg_block_of(p->blocks, cell, around->block);
  gmg_block_list(p, around->block, &around->cells);
  for (int a = 0; a < around->cells.count; a++)
    if (gmg_label(p, around->cells.at[a]) == label)
      around->cell[around->count++] = a;
  for (size_t n = piece->beside; n < piece[1].beside; n++) {
    const struct gmg_beside *beside = &s->turns.beside[n];
    const int elected = p->state[beside->at] >= GMG_ELECTED;
    owner_of(s, around->block, beside, elected, owner);
    if (elected)
      note_candidate(around, owner, beside->coupling);
    note_near(around, owner);
  }
}

/* Whether the piece lies on the side of its block where another one is, and coarse stencils still
 * reach one block far where it goes there. */
static int may_go(const struct state *s, const struct around *around, const int from[3],
                  const int to[3])
{
  int step[3], near = gmg_step_between(s->pieces.blocks, from, to, step);
  for (int n = 0; n < around->count && near; n++)
    near = gmg_owner_code(s->pieces.blocks, around->cells.cell[around->cell[n]], step) >= 0;
  for (int n = 0; n < around->nears && near; n++)
    near = gmg_block_near(s->pieces.blocks, to, around->near[n]);
  return near;
}

static void give(struct state *s, const struct around *around, const int from[3], const int to[3],
                 struct gmg_election *election)
{
  const size_t block = gmg_block_at(s->pieces.blocks, to);
  int step[3];
  gmg_step_between(s->pieces.blocks, from, to, step);
  for (int n = 0; n < around->count; n++) {
    const int cell = around->cell[n];
    unsigned char *own = &s->pieces.state[around->cells.at[cell]];
    *own = (unsigned char)((*own & GMG_LABEL) | GMG_ELECTED
                           | gmg_owner_code(s->pieces.blocks, around->cells.cell[cell], step));
  }
  s->pieces.held[block] += around->piece->diagonal;
  s->taken[block] = 1;
  if (memcmp(from, to, 3 * sizeof *from) != 0) {
    election->given++;
    election->given_cells += (size_t)around->count;
  }
}

/* How well a block holds a piece. */
struct hold {
  const int *block; /* NULL: none */
  double part, coupling;
};

static void elect(struct state *s, const struct gmg_piece *piece, struct gmg_election *election)
{
  struct around around;
  struct hold inside = {NULL, 0, 0}, outside = {NULL, 0, 0};
  const int *own = around.block;
  look_around(s, piece, &around);
  for (int c = 0; c < around.candidates; c++) {
    const struct candidate *to = &around.candidate[c];
    if (!gmg_block_near(s->pieces.blocks, own, to->block))
      continue; /* another thread may be at it */
    const double held = s->pieces.held[gmg_block_at(s->pieces.blocks, to->block)];
    const struct hold hold = {to->block, to->coupling / gmg_least(piece->diagonal, held),
                              to->coupling};
    if (memcmp(to->block, own, sizeof to->block) == 0)
      inside = hold;
    else if (hold.part > outside.part && may_go(s, &around, own, to->block))
      outside = hold;
  }
  const int in = inside.block && inside.part >= GMG_HELD_PART,
            out = outside.block && outside.part >= GMG_HELD_PART;
  if (!s->taken[gmg_block_at(s->pieces.blocks, own)])
    give(s, &around, own, out && outside.coupling > STRONGER * piece->in ? outside.block : own,
         election);
  else if (in && STRONGER * inside.coupling >= outside.coupling)
    give(s, &around, own, own, election);
  else if (out)
    give(s, &around, own, outside.block, election);
  else if (in)
    give(s, &around, own, own, election);
  else {
    give(s, &around, own, outside.part > inside.part ? outside.block : own, election);
    election->forced++;
  }
}

/* The place from n on whose piece is of another block than the one before it. */
static size_t next_block(const struct state *s, size_t n, size_t end)
{
  const struct gmg_pieces *p = &s->pieces;
  const struct gmg_turns *turns = &s->turns;
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
static void fetch(const struct state *s, const uint32_t *order, size_t left)
{
  enum { PIECE = 16, BESIDE = 8, OWNERS = 4, IN_LINE = 4 };
  const struct gmg_pieces *p = &s->pieces;
  if (left > PIECE)
    __builtin_prefetch(&s->turns.piece[order[PIECE]]);
  if (left > BESIDE) {
    const struct gmg_piece *piece = &s->turns.piece[order[BESIDE]];
    for (size_t n = piece->beside; n < piece[1].beside; n += IN_LINE)
      __builtin_prefetch(&s->turns.beside[n]);
  }
  if (left > OWNERS) {
    const struct gmg_piece *piece = &s->turns.piece[order[OWNERS]];
    int cell[3], block[3];
    gmg_links_cell(p->links, piece->first, cell);
    gmg_block_of(p->blocks, cell, block);
    const size_t here = gmg_block_at(p->blocks, block);
    __builtin_prefetch(&p->held[here]);
    __builtin_prefetch(&s->taken[here]);
    for (size_t n = piece->beside; n < piece[1].beside; n++)
      __builtin_prefetch(&p->state[s->turns.beside[n].at]);
  }
}

/* Elects the pieces of a group, in their order or, by several threads, block by block. */
static void elect_group(struct state *s, size_t begin, size_t end, struct gmg_election *election)
{
  const struct gmg_turns *turns = &s->turns;
  const int threads = turns->meet || end - begin < LEAST_SHARED ? 1 : s->pieces.threads;
  size_t given = 0, forced = 0, cells = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1) \
  reduction(+ : given, forced, cells)
  for (int part = 0; part < threads; part++) {
    const size_t count = end - begin, parts = (size_t)threads, own = (size_t)part;
    const size_t first = begin + count * own / parts,
                 last = next_block(s, begin + count * (own + 1) / parts, end);
    struct gmg_election here = {0, 0, 0};
    for (size_t n = part > 0 ? next_block(s, first, end) : first; n < last; n++) {
      fetch(s, &turns->order[n], turns->pieces - n);
      elect(s, &turns->piece[turns->order[n]], &here);
    }
    given += here.given;
    forced += here.forced;
    cells += here.given_cells;
  }
  election->given += given;
  election->forced += forced;
  election->given_cells += cells;
}

static int elect_all(struct state *s, struct gmg_election *election)
{
  const size_t cells = gmg_links_count(s->pieces.links),
               blocks = gmg_blocks_count(s->pieces.blocks);
  unsigned char *state = s->pieces.state;
  for (size_t b = 0; b < blocks; b++)
    s->taken[b] = s->pieces.count[b] == 1;
  if (gmg_turns_list(&s->pieces, &s->turns))
    return -1;
  for (size_t g = 0; g < s->turns.groups; g++)
    elect_group(s, s->turns.group[g], s->turns.group[g + 1], election);
  gmg_turns_clear(&s->turns);
#pragma omp parallel for schedule(static) num_threads(s->pieces.threads)
  for (size_t at = 0; at < cells; at++)
    state[at] = state[at] == GMG_EMPTY ? GMG_OWN_BLOCK : state[at] & GMG_CODE;
  return 0;
}

int gmg_elect_owners(const struct gmg_links *links, const struct gmg_blocks *blocks, int threads,
                     unsigned char *owner, struct gmg_election *election)
{
  struct state s = {.taken = gmg_malloc(gmg_blocks_count(blocks))};
  *election = (struct gmg_election){0, 0, 0};
  const int failed = !s.taken || gmg_pieces_find(&s.pieces, links, blocks, threads, owner)
    || elect_all(&s, election);
  gmg_pieces_clear(&s.pieces);
  gmg_free(s.taken);
  return failed ? -1 : 0;
}
