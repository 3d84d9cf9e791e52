/* Which links are strong. A thread goes through its planes of cells with what is strongest in three
 * of them at hand. */
#include "pieces.h"

#include "system/memory.h"
#include "system/order.h"

enum { PLANES = 3 }; /* of a layer of blocks, and the one after it */

/* What was measured of the planes at hand. */
struct planes {
  double *strongest[PLANES], *diagonal[PLANES];
};

static void measure_plane(const struct gmg_links *links, int k, struct planes *planes)
{
  const size_t row = (size_t)links->cells[0];
  const int plane = k % links->cells[2], slot = k % PLANES;
  for (int j = 0; j < links->cells[1]; j++)
    gmg_links_measure_row(links, j, plane, planes->strongest[slot] + (size_t)j * row,
                          planes->diagonal[slot] + (size_t)j * row);
}

/* Sets a bit where a link of a row is strong. */
static void mark_link(const double *restrict link, const double *restrict own,
                      const double *restrict other, int cells, unsigned bit,
                      uint16_t *restrict strong)
{
  for (int i = 0; i < cells; i++) {
    const double most = own[i] > other[i] ? own[i] : other[i];
    strong[i] = (uint16_t)(strong[i] | ((link[i] > 0) & (link[i] >= GMG_STRONG * most) ? bit : 0));
  }
}

/* The cells of a row from `cell` on whose link n goes the same way. */
static void mark_cells(const struct gmg_pieces *p, const struct planes *planes, const int cell[3],
                       int n, int count)
{
  const struct gmg_links *links = p->links;
  const int *cells = links->cells;
  int to[3];
  if (count <= 0 || !gmg_links_step(links, cell, n, 1, to))
    return;
  const size_t row = (size_t)cells[0], own = (size_t)cell[1] * row + (size_t)cell[0],
               other = (size_t)to[1] * row + (size_t)to[0];
  const int slot = cell[2] % PLANES, far = (cell[2] + gmg_link_step[n][2]) % PLANES;
  mark_link(&links->link[n][gmg_link_at(links, cell)], planes->strongest[slot] + own,
            planes->strongest[far] + other, count, 1u << n, &p->strong[gmg_links_at(links, cell)]);
}

static void mark_plane(const struct gmg_pieces *p, const struct planes *planes, int k)
{
  const struct gmg_links *links = p->links;
  const int cells = links->cells[0];
  for (int j = 0; j < links->cells[1]; j++)
    for (int m = 0; m < links->present; m++) {
      const int n = links->number[m], step = gmg_link_step[n][0];
      mark_cells(p, planes, (int[3]){step < 0, j, k}, n, cells - (step != 0));
      if (step)
        mark_cells(p, planes, (int[3]){step < 0 ? 0 : cells - 1, j, k}, n, 1);
    }
}

/* The bits of the links along axes that stay inside a block, of one of its cells. */
static unsigned inner_links(const int cell[3], const int high[3])
{
  unsigned bits = 0;
  for (int d = 0; d < 3; d++)
    bits |= cell[d] < high[d] ? 1u << gmg_link_along(d) : 0;
  return bits;
}

/* Notes empty cells of a block, and whether it is one piece. */
static void note_block(struct gmg_pieces *p, const struct planes *planes, const int block[3])
{
  const struct gmg_blocks *blocks = p->blocks;
  const size_t row = (size_t)p->links->cells[0], here = gmg_block_at(blocks, block);
  int cell[3], low[3], high[3], one = 1;
  double held = 0;
  for (int d = 0; d < 3; d++) {
    low[d] = blocks->first[d][block[d]];
    high[d] = blocks->last[d][block[d]];
  }
  for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
    for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
      for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
        const size_t at = gmg_links_at(p->links, cell);
        const unsigned inner = inner_links(cell, high);
        const double diagonal =
          planes->diagonal[cell[2] % PLANES][(size_t)cell[1] * row + (size_t)cell[0]];
        one &= (p->strong[at] & inner) == inner && diagonal != 0;
        held += diagonal;
        p->state[at] = diagonal == 0 ? GMG_EMPTY : 0;
      }
  p->count[here] = (unsigned char)one;
  if (!one)
    return;
  p->held[here] = held;
  for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
    for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
      for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        p->state[gmg_links_at(p->links, cell)] = GMG_ELECTED | GMG_OWN_BLOCK;
}

/* Layers of blocks across z, and the planes of their cells. */
static void note_layers(struct gmg_pieces *p, struct planes *planes, int first, int end)
{
  const struct gmg_links *links = p->links;
  const struct gmg_blocks *blocks = p->blocks;
  const int all = links->cells[2], more = links->periodic[2];
  for (int layer = first; layer < end; layer++) {
    const int low = blocks->first[2][layer], high = blocks->last[2][layer];
    if (layer == first)
      measure_plane(links, low, planes);
    for (int k = low; k <= high; k++) {
      if (k + 1 < all || more)
        measure_plane(links, k + 1, planes);
      mark_plane(p, planes, k);
    }
    for (int j = 0; j < blocks->cells[1]; j++)
      for (int i = 0; i < blocks->cells[0]; i++)
        note_block(p, planes, (int[3]){i, j, layer});
  }
}

int gmg_strength_note(struct gmg_pieces *p)
{
  const size_t plane = (size_t)p->links->cells[0] * (size_t)p->links->cells[1];
  const int layers = p->blocks->cells[2], parts = gmg_smaller(p->threads, layers);
  double *room = gmg_malloc((size_t)parts * 2 * PLANES * plane * sizeof *room);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int part = 0; part < (room ? parts : 0); part++) {
    struct planes planes;
    for (int n = 0; n < PLANES; n++) {
      planes.strongest[n] = room + (size_t)(2 * PLANES * part + 2 * n) * plane;
      planes.diagonal[n] = planes.strongest[n] + plane;
    }
    note_layers(p, &planes, (int)((int64_t)layers * part / parts),
                (int)((int64_t)layers * (part + 1) / parts));
  }
  const int failed = !room;
  gmg_free(room);
  return failed ? -1 : 0;
}
