#include "around.h"

#include <string.h>

static void note_candidate(struct gmg_around *around, const int block[3], double coupling)
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

static void note_near(struct gmg_around *around, const int block[3])
{
  for (int n = around->nears - 1; n >= 0; n--)
    if (gmg_same_block(around->near[n], block))
      return;
  memcpy(around->near[around->nears++], block, sizeof around->near[0]);
}

void gmg_look_around(const struct gmg_pieces *p, const int block[3], size_t first,
                     struct gmg_around *around)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  const int label = gmg_label(p, first);
  around->count = around->candidates = around->nears = 0;
  around->diagonal = around->out = around->in = 0;
  gmg_block_list(p, block, &around->cells);
  for (int a = 0; a < around->cells.count; a++) {
    if (gmg_label(p, around->cells.at[a]) != label)
      continue;
    const int *cell = around->cells.cell[a],
              count = gmg_links_of(p->links, cell, neighbour);
    around->cell[around->count++] = a;
    around->diagonal += p->diagonal ? p->diagonal[around->cells.at[a]]
                                    : gmg_links_diagonal(p->links, cell, neighbour, count);
    for (int n = 0; n < count; n++) {
      const unsigned char state = p->state[neighbour[n].at];
      int own[3], other[3];
      gmg_neighbour_cell(p->links, cell, &neighbour[n], other);
      gmg_block_of(p->blocks, other, own);
      const int inside = gmg_same_block(own, block);
      if (inside && gmg_label(p, neighbour[n].at) == label)
        continue;
      around->out += neighbour[n].coupling;
      around->in += inside ? neighbour[n].coupling : 0;
      if (state & GMG_ELECTED && state & GMG_CODE)
        gmg_block_owner(p->blocks, other, state & GMG_CODE, own);
      if (state & GMG_ELECTED)
        note_candidate(around, own, neighbour[n].coupling);
      note_near(around, own);
    }
  }
}
