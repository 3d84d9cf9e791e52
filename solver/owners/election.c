#include "election.h"

#include "pieces.h"
#include "system/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A piece leaves its block for one that couples this many times more strongly with it. */
#define STRONGER 4.0
enum { COLOURS = 3 }; /* along an axis: blocks of one colour do not meet in what they decide */

/* A piece of a block that has several. */
struct piece {
  size_t first; /* its first cell */
  int block[3];
  int size_class; /* pieces of the largest class elect first, */
  int colour;     /* and in it block colour by block colour */
};

struct state {
  struct gmg_pieces pieces;
  unsigned char *owner;
  double *held;         /* of every block: the sum of the diagonal over the cells that it owns */
  unsigned char *taken; /* 1: a block has an owner's cells */
  struct gmg_election *election;
};

/* A block that a piece may go to. */
struct candidate {
  int block[3];
  double coupling;
};

/* The cells and neighbours of a piece. */
struct surroundings {
  struct gmg_block_cells cells; /* of its block */
  int cell[GMG_BLOCK_CELLS], count;
  double diagonal, out, in; /* the sum of its couplings, and of those inside its block */
  struct candidate candidate[GMG_BLOCK_CELLS * GMG_NEIGHBOURS];
  int candidates;
  /* blocks, elected or their own, of all neighbours */
  int near[GMG_BLOCK_CELLS * GMG_NEIGHBOURS][3], nears;
};

static void owner_of(const struct state *s, const struct gmg_neighbour *cell, int block[3],
                     int *elected)
{
  *elected = s->owner[cell->at] != GMG_NO_OWNER;
  gmg_block_owner(s->pieces.blocks, cell->cell, *elected ? s->owner[cell->at] : GMG_OWN_BLOCK,
                  block);
}

static void note_candidate(struct surroundings *around, const int block[3], double coupling)
{
  int c = 0;
  while (c < around->candidates
         && memcmp(around->candidate[c].block, block, sizeof around->candidate[c].block) != 0)
    c++;
  if (c == around->candidates) {
    memcpy(around->candidate[c].block, block, sizeof around->candidate[c].block);
    around->candidate[c].coupling = 0;
    around->candidates++;
  }
  around->candidate[c].coupling += coupling;
}

/* Looks at all neighbours of the piece that begins with a cell. */
static void look_around(const struct state *s, const int block[3], size_t first,
                        struct surroundings *around)
{
  const struct gmg_pieces *p = &s->pieces;
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  around->count = around->candidates = around->nears = 0;
  around->diagonal = around->out = around->in = 0;
  gmg_block_list(p, block, &around->cells);
  for (int a = 0; a < around->cells.count; a++) {
    const size_t at = around->cells.at[a];
    if (p->label[at] != p->label[first])
      continue;
    around->cell[around->count++] = a;
    around->diagonal += p->diagonal[at];
    const int count = gmg_links_of(p->links, around->cells.cell[a], neighbour);
    for (int n = 0; n < count; n++) {
      int own[3], elected;
      gmg_block_of(p->blocks, neighbour[n].cell, own);
      const int inside = memcmp(own, block, sizeof own) == 0;
      if (inside && p->label[neighbour[n].at] == p->label[first])
        continue;
      around->out += neighbour[n].coupling;
      around->in += inside ? neighbour[n].coupling : 0;
      owner_of(s, &neighbour[n], around->near[around->nears], &elected);
      if (elected)
        note_candidate(around, around->near[around->nears], neighbour[n].coupling);
      around->nears++;
    }
  }
}

/* Whether the piece lies on the side of its block where another one is, and coarse stencils still
 * reach one block far where it goes there. */
static int may_go(const struct state *s, const struct surroundings *around, const int from[3],
                  const int to[3])
{
  int step[3], near = gmg_step_between(s->pieces.blocks, from, to, step);
  for (int n = 0; n < around->count && near; n++)
    near = gmg_owner_code(s->pieces.blocks, around->cells.cell[around->cell[n]], step) >= 0;
  for (int n = 0; n < around->nears && near; n++)
    near = gmg_block_near(s->pieces.blocks, to, around->near[n]);
  return near;
}

static void give(struct state *s, const struct surroundings *around, const int from[3],
                 const int to[3])
{
  const size_t block = gmg_block_at(s->pieces.blocks, to);
  int step[3];
  gmg_step_between(s->pieces.blocks, from, to, step);
  for (int n = 0; n < around->count; n++) {
    const int cell = around->cell[n];
    s->owner[around->cells.at[cell]] =
      (unsigned char)gmg_owner_code(s->pieces.blocks, around->cells.cell[cell], step);
  }
  s->held[block] += around->diagonal;
  s->taken[block] = 1;
  if (memcmp(from, to, 3 * sizeof *from) != 0) {
    s->election->given++;
    s->election->given_cells += (size_t)around->count;
  }
}

/* How well a block holds a piece. */
struct hold {
  const int *block; /* NULL: none */
  double part, coupling;
};

static void elect(struct state *s, const struct piece *piece)
{
  struct surroundings around;
  struct hold inside = {NULL, 0, 0}, outside = {NULL, 0, 0};
  const int *own = piece->block;
  look_around(s, own, piece->first, &around);
  for (int c = 0; c < around.candidates; c++) {
    const struct candidate *to = &around.candidate[c];
    const double held = s->held[gmg_block_at(s->pieces.blocks, to->block)];
    const struct hold hold = {to->block, to->coupling / fmin(around.diagonal, held), to->coupling};
    if (memcmp(to->block, own, sizeof to->block) == 0)
      inside = hold;
    else if (hold.part > outside.part && may_go(s, &around, own, to->block))
      outside = hold;
  }
  const int in = inside.block && inside.part >= GMG_HELD_PART,
            out = outside.block && outside.part >= GMG_HELD_PART;
  if (!s->taken[gmg_block_at(s->pieces.blocks, own)])
    give(s, &around, own, out && outside.coupling > STRONGER * around.in ? outside.block : own);
  else if (in && STRONGER * inside.coupling >= outside.coupling)
    give(s, &around, own, own);
  else if (out)
    give(s, &around, own, outside.block);
  else if (in)
    give(s, &around, own, own);
  else {
    give(s, &around, own, outside.part > inside.part ? outside.block : own);
    s->election->forced++;
  }
}

/* Larger classes first, then colours from the last one on; a block's own pieces, which alone
 * depend on each other, in the order of their cells. */
static int compare(const void *one, const void *two)
{
  const struct piece *a = one, *b = two;
  if (a->size_class != b->size_class)
    return a->size_class > b->size_class ? -1 : 1;
  if (a->colour != b->colour)
    return a->colour > b->colour ? -1 : 1;
  return a->first < b->first ? -1 : 1;
}

/* Quarters of octaves: in checkerboards of 5³ cells whole ones let pieces elect too late. */
static int class_of(double size)
{
  static const double quarter[] = {0.59460355750136051, 0.70710678118654757, 0.8408964152537145};
  int octave;
  const double mantissa = frexp(size, &octave);
  int class = 4 * octave;
  for (int n = 0; n < 3; n++)
    class += mantissa >= quarter[n];
  return class;
}

/* A single piece keeps its block. */
static void keep_single(struct state *s, const int block[3])
{
  const struct gmg_pieces *p = &s->pieces;
  struct gmg_block_cells cells;
  const size_t here = gmg_block_at(p->blocks, block);
  if (p->count[here] != 1)
    return;
  gmg_block_list(p, block, &cells);
  for (int a = 0; a < cells.count; a++) {
    s->owner[cells.at[a]] = GMG_OWN_BLOCK;
    s->held[here] += p->diagonal[cells.at[a]];
  }
  s->taken[here] = 1;
}

/* Notes the pieces of a block that has several; returns how many. */
static int list_block(struct state *s, const int block[3], struct piece *list)
{
  const struct gmg_pieces *p = &s->pieces;
  struct gmg_block_cells cells;
  struct surroundings around;
  int count = 0;
  if (p->count[gmg_block_at(p->blocks, block)] < 2)
    return 0;
  gmg_block_list(p, block, &cells);
  for (int a = 0; a < cells.count; a++) {
    if (p->label[cells.at[a]] != a)
      continue;
    struct piece *piece = &list[count++];
    look_around(s, block, cells.at[a], &around);
    *piece = (struct piece){.first = cells.at[a], .block = {block[0], block[1], block[2]}};
    piece->size_class = class_of((around.out - around.in) * around.count);
    for (int d = 2; d >= 0; d--)
      piece->colour = COLOURS * piece->colour + block[d] % COLOURS;
  }
  return count;
}

static int elect_all(struct state *s)
{
  const struct gmg_blocks *blocks = s->pieces.blocks;
  const size_t count = gmg_blocks_count(blocks);
  size_t pieces = 0, listed = 0;
  for (size_t b = 0; b < count; b++)
    pieces += s->pieces.count[b] > 1 ? s->pieces.count[b] : 0;
  struct piece *list = gmg_malloc((pieces + 1) * sizeof *list);
  if (!list)
    return -1;
#pragma omp parallel for schedule(static) num_threads(s->pieces.threads)
  for (int k = 0; k < blocks->cells[2]; k++)
    for (int j = 0; j < blocks->cells[1]; j++)
      for (int i = 0; i < blocks->cells[0]; i++) {
        const int block[3] = {i, j, k};
        keep_single(s, block);
      }
  for (int k = 0; k < blocks->cells[2]; k++)
    for (int j = 0; j < blocks->cells[1]; j++)
      for (int i = 0; i < blocks->cells[0]; i++) {
        const int block[3] = {i, j, k};
        listed += (size_t)list_block(s, block, list + listed);
      }
  qsort(list, listed, sizeof *list, compare);
  for (size_t n = 0; n < listed; n++)
    elect(s, &list[n]);
  const size_t cells = gmg_links_count(s->pieces.links);
  for (size_t at = 0; at < cells; at++)
    if (s->owner[at] == GMG_NO_OWNER)
      s->owner[at] = GMG_OWN_BLOCK; /* it owns nothing itself */
  gmg_free(list);
  return 0;
}

int gmg_elect_owners(const struct gmg_links *links, const struct gmg_blocks *blocks, int threads,
                     unsigned char *owner, struct gmg_election *election)
{
  struct state s = {.owner = owner, .election = election};
  const size_t count = gmg_blocks_count(blocks);
  memset(owner, GMG_NO_OWNER, gmg_links_count(links));
  *election = (struct gmg_election){0, 0, 0};
  int failed = gmg_pieces_find(&s.pieces, links, blocks, threads);
  s.held = gmg_calloc(count, sizeof *s.held);
  s.taken = gmg_calloc(count, 1);
  failed = failed || !s.held || !s.taken || elect_all(&s);
  gmg_pieces_clear(&s.pieces);
  gmg_free(s.held);
  gmg_free(s.taken);
  return failed ? -1 : 0;
}
