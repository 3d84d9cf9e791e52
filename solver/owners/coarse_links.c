#include "coarse_links.h"

#include "system/memory.h"
#include "system/order.h"

#include <assert.h>
#include <string.h>

/* What owners and coarse links are made from. */
struct sum {
  const struct gmg_links *links;
  const struct gmg_blocks *blocks;
  const struct gmg_reach *reach;
  const unsigned char *owner;
  struct gmg_links *coarse;
};

/* Adds a coupling of two owners to the coarse links. */
static void add_link(const struct sum *s, const int one[3], const int two[3], double coupling)
{
  int step[3];
  double factor = 1;
  const int near = gmg_step_between(s->blocks, one, two, step);
  assert(near); /* coarse stencils have 27 points */
  (void)near;
  for (int d = 0; d < 3; d++)
    if (step[d])
      factor = gmg_least(factor, s->reach->between[d][step[d] > 0 ? one[d] : two[d]]);
  const int place = step[0] + 3 * step[1] + 9 * step[2], ahead = place > 0;
  s->coarse->link[(ahead ? place : -place) - 1][gmg_block_at(s->blocks, ahead ? one : two)] +=
    factor * coupling;
}

/* Adds the coupling of a cell, whose owner is `one`, with another cell that has one. */
static void add_pair(const struct sum *s, const int one[3], const int other[3], size_t at,
                     double coupling)
{
  int two[3];
  if (s->owner[at] == GMG_NO_OWNER)
    return;
  gmg_block_owner(s->blocks, other, s->owner[at], two);
  if (!gmg_same_block(one, two))
    add_link(s, one, two, coupling);
}

/* Adds what couples a cell with those ahead of it, all of which are inside. */
static void add_ahead(const struct sum *s, const int cell[3], const int one[3])
{
  const struct gmg_links *links = s->links;
  const size_t at = gmg_links_at(links, cell);
  const ptrdiff_t place = gmg_link_at(links, cell);
  for (int m = 0; m < links->present; m++) {
    const int n = links->number[m],
              other[3] = {cell[0] + gmg_link_step[n][0], cell[1] + gmg_link_step[n][1],
                          cell[2] + gmg_link_step[n][2]};
    const double coupling = links->link[n][place];
    if (coupling > 0)
      add_pair(s, one, other, at + (size_t)links->far[n], coupling);
  }
}

/* Adds what couples a cell with those that come after it: every pair is met from both of its ends.
 */
static void add_after(const struct sum *s, const int cell[3], const int one[3])
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  const size_t at = gmg_links_at(s->links, cell);
  const int count = gmg_links_of(s->links, cell, neighbour);
  int other[3];
  for (int n = 0; n < count; n++) {
    gmg_neighbour_cell(s->links, cell, &neighbour[n], other);
    if (neighbour[n].at > at)
      add_pair(s, one, other, neighbour[n].at, neighbour[n].coupling);
  }
}

static void sum_cell(const struct sum *s, const int cell[3])
{
  const struct gmg_links *links = s->links;
  const int inside = gmg_links_inside(links, cell);
  const size_t at = gmg_links_at(links, cell);
  int one[3];
  if (s->owner[at] == GMG_NO_OWNER)
    return;
  gmg_block_owner(s->blocks, cell, s->owner[at], one);
  const size_t to = gmg_block_at(s->blocks, one);
  if (links->mass)
    s->coarse->mass[to] += links->mass[at];
  for (int d = 0; d < 3 && !(inside && links->on_faces); d++)
    s->coarse->wall[d][to] +=
      s->reach->wall[d][2 * cell[d] >= links->cells[d]] * gmg_links_wall(links, cell, d);
  if (inside)
    add_ahead(s, cell, one);
  else
    add_after(s, cell, one);
}

/* Whether the cells of a row of a block and their neighbours ahead are inside and their blocks'
 * own. */
static int is_plain(const struct sum *s, int first, int last, int j, int k)
{
  const struct gmg_links *links = s->links;
  const int *cells = links->cells;
  const size_t at = gmg_links_at(links, (int[3]){first, j, k});
  if (links->present != 3 || first == 0 || j == 0 || k == 0 || last + 1 == cells[0]
      || j + 1 == cells[1] || k + 1 == cells[2])
    return 0;
  const unsigned char *owner = s->owner + at, *beside = owner + links->far[gmg_link_along(1)],
                      *above = owner + links->far[gmg_link_along(2)];
  int given = owner[last + 1 - first];
  for (int i = 0; i <= last - first; i++)
    given |= owner[i] | beside[i] | above[i];
  return !given;
}

/* Adds the cells of a row of a block where owners are their own blocks. */
static void sum_plain(const struct sum *s, int first, int last, int j, int k)
{
  const struct gmg_links *links = s->links;
  const int block[3] = {s->blocks->parent[0][first], s->blocks->parent[1][j],
                        s->blocks->parent[2][k]},
            ends[3] = {1, s->blocks->last[1][block[1]] == j, s->blocks->last[2][block[2]] == k};
  const size_t to = gmg_block_at(s->blocks, block), at = gmg_links_at(links, (int[3]){first, j, k});
  const ptrdiff_t place = gmg_link_at(links, (int[3]){first, j, k});
  for (int i = 0; i <= last - first && links->mass; i++)
    s->coarse->mass[to] += links->mass[at + (size_t)i];
  for (int d = 0; d < 3; d++) {
    const int n = gmg_link_along(d);
    const double factor = s->reach->between[d][block[d]];
    for (int i = d == 0 ? last - first : 0; i <= last - first && ends[d]; i++)
      s->coarse->link[n][to] += factor * links->link[n][place + i];
  }
}

/* Sums up the cells of a layer of blocks across z. What it adds to lies in this layer and the two
 * next to it. */
static void sum_layer(const struct sum *s, int layer)
{
  const struct gmg_blocks *blocks = s->blocks;
  for (int k = blocks->first[2][layer]; k <= blocks->last[2][layer]; k++)
    for (int j = 0; j < s->links->cells[1]; j++)
      for (int b = 0; b < blocks->cells[0]; b++) {
        const int first = blocks->first[0][b], last = blocks->last[0][b];
        const int plain = is_plain(s, first, last, j, k);
        if (plain)
          sum_plain(s, first, last, j, k);
        for (int i = first; i <= last && !plain; i++)
          sum_cell(s, (int[3]){i, j, k});
      }
}

/* Adds the couplings of a cell without an owner, whose value coarse levels take to be 0, to what
 * holds the owners of its neighbours. */
static void hold_neighbours(const struct sum *s, size_t at)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  int cell[3], other[3], owner[3];
  gmg_links_cell(s->links, at, cell);
  const int count = gmg_links_of(s->links, cell, neighbour);
  for (int n = 0; n < count; n++) {
    const unsigned char code = s->owner[neighbour[n].at];
    const signed char *step = gmg_link_step[neighbour[n].link % GMG_LINKS];
    double factor = 1;
    if (code == GMG_NO_OWNER)
      continue;
    gmg_neighbour_cell(s->links, cell, &neighbour[n], other);
    gmg_block_owner(s->blocks, other, code, owner);
    for (int d = 0; d < 3; d++)
      if (step[d])
        factor = gmg_least(factor, s->reach->between[d][s->blocks->parent[d][cell[d]]]);
    s->coarse->mass[gmg_block_at(s->blocks, owner)] += factor * neighbour[n].coupling;
  }
}

void gmg_links_coarsen(const struct gmg_links *links, const struct gmg_blocks *blocks,
                       const struct gmg_reach *reach, const unsigned char *owner, int threads,
                       struct gmg_links *coarse)
{
  enum { APART = 3 }; /* layers that add to different ones */
  const struct sum sum = {links, blocks, reach, owner, coarse};
  const int layers = blocks->cells[2], whole = layers / APART * APART;
  for (int first = 0; first < APART; first++) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int layer = first; layer < whole; layer += APART)
      sum_layer(&sum, layer);
  }
  for (int layer = whole; layer < layers; layer++)
    sum_layer(&sum, layer);
  const unsigned char *unowned = owner, *end = owner + gmg_links_count(links);
  while ((unowned = memchr(unowned, GMG_NO_OWNER, (size_t)(end - unowned))))
    hold_neighbours(&sum, (size_t)(unowned++ - owner));
}

/* The anchors of a plane of cells; room: for two rows. */
static void anchor_plane(struct gmg_links *links, int k, double *room)
{
  const int cells = links->cells[0];
  const size_t count = gmg_links_count(links);
  for (int j = 0; j < links->cells[1]; j++) {
    double *strongest = room, *diagonal = room + cells;
    gmg_links_measure_row(links, j, k, strongest, diagonal);
    for (int i = 0; i < cells; i++) {
      const int cell[3] = {i, j, k};
      double *anchor = &links->mass[gmg_links_at(links, cell)];
      for (int d = 0; d < 3; d++)
        *anchor += gmg_links_wall(links, cell, d);
      if (strongest[i] == 0 && *anchor == 0 && count > 1)
        *anchor = 1;
    }
  }
}

int gmg_links_anchor(struct gmg_links *links, int threads)
{
  const int planes = links->cells[2];
  const size_t two_rows = 2 * (size_t)links->cells[0];
  double *room = gmg_malloc((size_t)planes * two_rows * sizeof *room);
#pragma omp parallel for schedule(static) num_threads(threads) if (room)
  for (int k = 0; k < (room ? planes : 0); k++)
    anchor_plane(links, k, room + (size_t)k * two_rows);
  const int failed = !room;
  gmg_free(room);
  for (int d = 0; d < 3 && !failed; d++) {
    gmg_free(links->wall[d]);
    links->wall[d] = NULL;
  }
  return failed ? -1 : 0;
}
