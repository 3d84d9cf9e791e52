#include "turns.h"

#include "system/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
  COLOURS = 3, /* along an axis: blocks of one colour do not meet in what they decide */
  ALL_COLOURS = COLOURS * COLOURS * COLOURS,
  CLASSES = 8800, /* of any size in double precision */
  GROUPS = CLASSES * ALL_COLOURS
};

/* Quarters of octaves: in checkerboards of 5³ cells whole ones let pieces elect too late. */
static int class_of(double size)
{
  static const double quarter[] = {0.59460355750136051, 0.70710678118654757, 0.8408964152537145};
  int octave;
  const double mantissa = frexp(size, &octave);
  int class = 4 * octave + CLASSES / 2;
  for (int n = 0; n < 3; n++)
    class += mantissa >= quarter[n];
  return class;
}

/* The place of a piece's group: largest sizes first, and in them colour by colour from the last. A
 * piece's size is its coupling with other blocks times its cells. */
static uint32_t group_of(const int block[3], double size)
{
  int colour = 0;
  for (int d = 2; d >= 0; d--)
    colour = COLOURS * colour + block[d] % COLOURS;
  return (uint32_t)((CLASSES - 1 - class_of(size)) * ALL_COLOURS + ALL_COLOURS - 1 - colour);
}

/* A neighbour of a piece of a block. */
static struct gmg_beside beside_of(const struct gmg_blocks *blocks, const int block[3],
                                   const int cell[3], const struct gmg_neighbour *neighbour)
{
  int own[3], step[3], code = 0, side = 0;
  gmg_block_of(blocks, cell, own);
  gmg_step_between(blocks, block, own, step);
  for (int d = 2; d >= 0; d--) {
    code = 3 * code + step[d] + 1;
    side = 3 * side + gmg_side_of(blocks, cell, d) + 1;
  }
  return (struct gmg_beside){neighbour->coupling, neighbour->at, (unsigned char)code,
                             (unsigned char)side};
}

/* Lists one piece, and its neighbours from n on; returns where they end. */
static size_t list_piece(const struct gmg_pieces *p, const int block[3],
                         const struct gmg_block_cells *cells, int label, struct gmg_piece *piece,
                         struct gmg_beside *beside, size_t n)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  double out = 0;
  int own_cells = 0, other[3];
  *piece = (struct gmg_piece){.first = (uint32_t)cells->at[label], .beside = n};
  for (int a = label; a < cells->count; a++) {
    if (!gmg_is_of_piece(p, cells->at[a], label))
      continue;
    const int *cell = cells->cell[a], count = gmg_links_of(p->links, cell, neighbour);
    own_cells++;
    piece->diagonal += gmg_links_diagonal(p->links, cell, neighbour, count);
    for (int m = 0; m < count; m++) {
      gmg_neighbour_cell(p->links, cell, &neighbour[m], other);
      const struct gmg_beside next = beside_of(p->blocks, block, other, &neighbour[m]);
      const int inside = next.step == GMG_NO_STEP;
      if (inside && gmg_is_of_piece(p, neighbour[m].at, label))
        continue;
      beside[n++] = next;
      out += neighbour[m].coupling;
      piece->in += inside ? neighbour[m].coupling : 0;
    }
  }
  piece->group = group_of(block, (out - piece->in) * own_cells);
  return n;
}

/* Lists the pieces of a layer of blocks from those numbers on. */
static void list_layer(const struct gmg_pieces *p, int k, size_t piece, size_t beside,
                       struct gmg_turns *turns)
{
  const struct gmg_blocks *blocks = p->blocks;
  for (int j = 0; j < blocks->cells[1]; j++)
    for (int i = 0; i < blocks->cells[0]; i++) {
      const int block[3] = {i, j, k};
      struct gmg_block_cells cells;
      if (p->count[gmg_block_at(blocks, block)] < 2)
        continue;
      gmg_block_list(p, block, &cells);
      for (int a = 0; a < cells.count; a++)
        if (gmg_is_of_piece(p, cells.at[a], a))
          beside = list_piece(p, block, &cells, a, &turns->piece[piece++], turns->beside, beside);
    }
}

/* Sorts pieces by group, in the order of their blocks. Returns -1 out of memory. */
static int sort(struct gmg_turns *turns)
{
  uint32_t least = GROUPS, most = 0;
  size_t at = 0, end = 0, group = 1;
  for (size_t n = 0; n < turns->pieces; n++) {
    const uint32_t g = turns->piece[n].group;
    least = g < least ? g : least;
    most = g > most ? g : most;
  }
  const size_t span = turns->pieces ? most - least + 1 : 0;
  size_t *start = gmg_calloc(span + 1, sizeof *start);
  for (size_t n = 0; start && n < turns->pieces; n++)
    start[turns->piece[n].group - least]++;
  for (size_t g = 0; start && g < span; g++) {
    const size_t count = start[g];
    start[g] = at;
    at += count;
    turns->groups += count > 0;
  }
  turns->group = gmg_calloc(turns->groups + 1, sizeof *turns->group);
  const int failed = !start || !turns->group;
  for (size_t n = 0; !failed && n < turns->pieces; n++)
    turns->order[start[turns->piece[n].group - least]++] = (uint32_t)n;
  for (size_t g = 0; !failed && g < span; g++)
    if (start[g] > end)
      turns->group[group++] = end = start[g];
  gmg_free(start);
  return failed ? -1 : 0;
}

/* By groups, and in them by first cells. */
struct place {
  uint32_t first, piece;
};

static int compare(const void *one, const void *two)
{
  const struct place *a = one, *b = two;
  return (a->first > b->first) - (a->first < b->first);
}

/* Around a periodic axis two blocks of one colour may be neighbours: then the order of the first
 * cells decides. Returns -1 out of memory. */
static int order_groups(const struct gmg_pieces *p, struct gmg_turns *turns)
{
  for (int d = 0; d < 3; d++)
    turns->meet |= p->blocks->periodic[d] && p->blocks->cells[d] % COLOURS != 0;
  if (!turns->meet)
    return 0;
  struct place *place = gmg_malloc((turns->pieces + 1) * sizeof *place);
  for (size_t n = 0; place && n < turns->pieces; n++)
    place[n] = (struct place){turns->piece[turns->order[n]].first, turns->order[n]};
  for (size_t g = 0; place && g < turns->groups; g++)
    qsort(place + turns->group[g], turns->group[g + 1] - turns->group[g], sizeof *place, compare);
  for (size_t n = 0; place && n < turns->pieces; n++)
    turns->order[n] = place[n].piece;
  const int failed = !place;
  gmg_free(place);
  return failed ? -1 : 0;
}

/* Turns the numbers of layers into where each begins, and the last one ends. */
static void add_up(size_t *number, int layers)
{
  size_t at = 0;
  for (int k = 0; k <= layers; k++) {
    const size_t count = number[k];
    number[k] = at;
    at += count;
  }
}

int gmg_turns_list(const struct gmg_pieces *p, struct gmg_turns *turns)
{
  const int layers = p->blocks->cells[2];
  *turns = (struct gmg_turns){.pieces = 0};
  add_up(p->layer_pieces, layers);
  add_up(p->layer_beside, layers);
  turns->pieces = p->layer_pieces[layers];
  turns->piece = gmg_malloc((turns->pieces + 1) * sizeof *turns->piece);
  turns->beside = gmg_malloc((p->layer_beside[layers] + 1) * sizeof *turns->beside);
  turns->order = gmg_malloc((turns->pieces + 1) * sizeof *turns->order);
  int failed = !turns->piece || !turns->beside || !turns->order;
#pragma omp parallel for schedule(static) num_threads(p->threads) if (!failed)
  for (int k = 0; k < (failed ? 0 : layers); k++)
    list_layer(p, k, p->layer_pieces[k], p->layer_beside[k], turns);
  if (!failed)
    turns->piece[turns->pieces].beside = p->layer_beside[layers];
  failed = failed || sort(turns) || order_groups(p, turns);
  if (failed)
    gmg_turns_clear(turns);
  return failed ? -1 : 0;
}

void gmg_turns_clear(struct gmg_turns *turns)
{
  gmg_free(turns->piece);
  gmg_free(turns->beside);
  gmg_free(turns->order);
  gmg_free(turns->group);
  *turns = (struct gmg_turns){.pieces = 0};
}
