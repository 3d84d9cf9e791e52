#include "election.h"

#include "around.h"
#include "system/memory.h"
#include "turns.h"

#include <math.h>
#include <string.h>

/* A piece leaves its block for one that couples this many times more strongly with it. */
#define STRONGER 4.0
enum { LEAST_SHARED = 128 }; /* pieces of a group that several threads share */

struct state {
  struct gmg_pieces pieces;
  unsigned char *taken; /* 1: a block has an owner's cells */
};

/* Whether the piece lies on the side of its block where another one is, and coarse stencils still
 * reach one block far where it goes there. */
static int may_go(const struct state *s, const struct gmg_around *around, const int from[3],
                  const int to[3])
{
  int step[3], near = gmg_step_between(s->pieces.blocks, from, to, step);
  for (int n = 0; n < around->count && near; n++)
    near = gmg_owner_code(s->pieces.blocks, around->cells.cell[around->cell[n]], step) >= 0;
  for (int n = 0; n < around->nears && near; n++)
    near = gmg_block_near(s->pieces.blocks, to, around->near[n]);
  return near;
}

static void give(struct state *s, const struct gmg_around *around, const int from[3],
                 const int to[3], struct gmg_election *election)
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
  s->pieces.held[block] += around->diagonal;
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

static void elect(struct state *s, size_t first, struct gmg_election *election)
{
  struct gmg_around around;
  struct hold inside = {NULL, 0, 0}, outside = {NULL, 0, 0};
  int cell[3], own[3];
  gmg_links_cell(s->pieces.links, first, cell);
  gmg_block_of(s->pieces.blocks, cell, own);
  gmg_look_around(&s->pieces, own, first, &around);
  for (int c = 0; c < around.candidates; c++) {
    const struct gmg_candidate *to = &around.candidate[c];
    if (!gmg_block_near(s->pieces.blocks, own, to->block))
      continue; /* another thread may be at it */
    const double held = s->pieces.held[gmg_block_at(s->pieces.blocks, to->block)];
    const struct hold hold = {to->block, to->coupling / fmin(around.diagonal, held), to->coupling};
    if (memcmp(to->block, own, sizeof to->block) == 0)
      inside = hold;
    else if (hold.part > outside.part && may_go(s, &around, own, to->block))
      outside = hold;
  }
  const int in = inside.block && inside.part >= GMG_HELD_PART,
            out = outside.block && outside.part >= GMG_HELD_PART;
  if (!s->taken[gmg_block_at(s->pieces.blocks, own)])
    give(s, &around, own, out && outside.coupling > STRONGER * around.in ? outside.block : own, election);
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

/* The blocks of a group share what they give between threads; each has the pieces from `begin` on.
 */
struct share {
  size_t begin, end;
  struct gmg_election election;
};

static void add(struct gmg_election *sum, const struct gmg_election *part)
{
  sum->given += part->given;
  sum->forced += part->forced;
  sum->given_cells += part->given_cells;
}

/* The first piece from n on that is of another block than the one before it. */
static size_t next_block(const struct gmg_pieces *p, const uint32_t *first, size_t n, size_t end)
{
  int cell[3], one[3], two[3];
  for (; n > 0 && n < end; n++) {
    gmg_links_cell(p->links, first[n - 1], cell);
    gmg_block_of(p->blocks, cell, one);
    gmg_links_cell(p->links, first[n], cell);
    gmg_block_of(p->blocks, cell, two);
    if (memcmp(one, two, sizeof one) != 0)
      break;
  }
  return n;
}

/* Elects the pieces from `begin` to `end`, in their order or, by several threads, block by block. */
static void elect_group(struct state *s, const struct gmg_turns *turns, size_t begin, size_t end,
                        struct gmg_election *election)
{
  const int threads = turns->meet || end - begin < LEAST_SHARED ? 1 : s->pieces.threads;
  size_t given = 0, forced = 0, cells = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1) \
  reduction(+ : given, forced, cells)
  for (int part = 0; part < threads; part++) {
    const size_t count = end - begin, parts = (size_t)threads, own = (size_t)part;
    const size_t last =
      next_block(&s->pieces, turns->first, begin + count * (own + 1) / parts, end);
    struct gmg_election here = {0, 0, 0};
    size_t n = begin + count * own / parts;
    if (part > 0)
      n = next_block(&s->pieces, turns->first, n, end);
    for (; n < last; n++)
      elect(s, turns->first[n], &here);
    given += here.given;
    forced += here.forced;
    cells += here.given_cells;
  }
  add(election, &(struct gmg_election){given, forced, cells});
}

static int elect_all(struct state *s, struct gmg_election *election)
{
  const size_t cells = gmg_links_count(s->pieces.links), blocks = gmg_blocks_count(s->pieces.blocks);
  struct gmg_turns turns;
  for (size_t b = 0; b < blocks; b++)
    s->taken[b] = s->pieces.count[b] == 1;
  if (gmg_turns_list(&s->pieces, &turns))
    return -1;
  for (size_t g = 0; g < turns.groups; g++)
    elect_group(s, &turns, turns.group[g], turns.group[g + 1], election);
  gmg_turns_clear(&turns);
#pragma omp parallel for schedule(static) num_threads(s->pieces.threads)
  for (size_t at = 0; at < cells; at++)
    s->pieces.state[at] = s->pieces.state[at] == GMG_EMPTY ? GMG_OWN_BLOCK : s->pieces.state[at] & GMG_CODE;
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
