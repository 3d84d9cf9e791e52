#include "pieces.h"

#include "system/memory.h"

#include <math.h>
#include <string.h>

void gmg_block_list(const struct gmg_pieces *p, const int b[3], struct gmg_block_cells *list)
{
  const struct gmg_blocks *blocks = p->blocks;
  list->count = 0;
  for (int k = blocks->first[2][b[2]]; k <= blocks->last[2][b[2]]; k++)
    for (int j = blocks->first[1][b[1]]; j <= blocks->last[1][b[1]]; j++)
      for (int i = blocks->first[0][b[0]]; i <= blocks->last[0][b[0]]; i++) {
        const int cell[3] = {i, j, k};
        const size_t at = gmg_links_at(p->links, cell);
        if (p->diagonal[at] == 0)
          continue;
        memcpy(list->cell[list->count], cell, sizeof cell);
        list->at[list->count++] = at;
      }
}

/* The couplings of the cells of one block, and the pieces that they form. */
struct inside {
  struct gmg_block_cells cells;
  double coupling[GMG_BLOCK_CELLS][GMG_BLOCK_CELLS]; /* of cells, and later of pieces */
  double diagonal[GMG_BLOCK_CELLS];                  /* of pieces, by their first cell */
  int rigid[GMG_BLOCK_CELLS];                        /* likewise */
  int label[GMG_BLOCK_CELLS];
};

static void read_block(const struct gmg_pieces *p, const int block[3], struct inside *in)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  gmg_block_list(p, block, &in->cells);
  memset(in->coupling, 0, sizeof in->coupling);
  for (int a = 0; a < in->cells.count; a++) {
    const int count = gmg_links_of(p->links, in->cells.cell[a], neighbour);
    for (int n = 0; n < count; n++)
      for (int b = 0; b < in->cells.count; b++)
        if (in->cells.at[b] == neighbour[n].at)
          in->coupling[a][b] += neighbour[n].coupling;
    in->label[a] = a;
    in->diagonal[a] = p->diagonal[in->cells.at[a]];
    in->rigid[a] = p->rigid[in->cells.at[a]];
  }
}

/* Joins piece `other` to piece `first`. */
static void join(struct inside *in, int first, int other)
{
  for (int c = 0; c < in->cells.count; c++) {
    if (c != first && c != other) {
      in->coupling[first][c] += in->coupling[other][c];
      in->coupling[c][first] = in->coupling[first][c];
    }
    if (in->label[c] == other)
      in->label[c] = first;
  }
  in->diagonal[first] += in->diagonal[other];
  in->rigid[first] |= in->rigid[other];
}

static void join_strong(const struct gmg_pieces *p, struct inside *in)
{
  const int count = in->cells.count;
  char strong[GMG_BLOCK_CELLS][GMG_BLOCK_CELLS];
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      const double most = fmax(p->strongest[in->cells.at[a]], p->strongest[in->cells.at[b]]);
      strong[a][b] = a != b && in->coupling[a][b] > 0 && in->coupling[a][b] >= GMG_STRONG * most;
    }
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      const int one = in->label[a], two = in->label[b];
      if (strong[a][b] && one != two)
        join(in, one < two ? one : two, one < two ? two : one);
    }
}

/* Joins the pieces that a value can stand for together, the best two first, but those of small
 * rigid bodies: these are kept whole across blocks. */
static void join_held(struct inside *in)
{
  const int count = in->cells.count;
  for (;;) {
    double best = 0;
    int one = -1, two = -1;
    for (int a = 0; a < count; a++)
      for (int b = a + 1; b < count; b++) {
        if (in->label[a] != a || in->label[b] != b || in->rigid[a] || in->rigid[b])
          continue;
        const double held = in->coupling[a][b] / fmin(in->diagonal[a], in->diagonal[b]);
        if (held >= GMG_HELD_PART && held > best)
          best = held, one = a, two = b;
      }
    if (one < 0)
      return;
    join(in, one, two);
  }
}

/* Whether all couplings along axes inside a block are strong: then it is one piece. */
static int is_one_piece(const struct gmg_pieces *p, const int block[3])
{
  const struct gmg_links *links = p->links;
  const struct gmg_blocks *blocks = p->blocks;
  double least = INFINITY, most = 0;
  int cell[3], low[3], high[3];
  for (int d = 0; d < 3; d++) {
    low[d] = blocks->first[d][block[d]];
    high[d] = blocks->last[d][block[d]];
  }
  for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
    for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
      for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
        const size_t at = gmg_links_at(links, cell);
        most = fmax(most, p->strongest[at]);
        for (int d = 0; d < 3; d++)
          if (cell[d] < high[d])
            least = fmin(least, links->link[gmg_link_along(d)][at]);
      }
  return least >= GMG_STRONG * most && most > 0;
}

static void find_in_block(struct gmg_pieces *p, const int block[3])
{
  struct inside in;
  int count = 0;
  if (is_one_piece(p, block)) { /* labels are 0 */
    p->count[gmg_block_at(p->blocks, block)] = 1;
    return;
  }
  read_block(p, block, &in);
  join_strong(p, &in);
  join_held(&in);
  for (int a = 0; a < in.cells.count; a++) {
    p->label[in.cells.at[a]] = (unsigned char)in.label[a];
    count += in.label[a] == a;
  }
  p->count[gmg_block_at(p->blocks, block)] = (unsigned char)count;
}

static void measure_cells(struct gmg_pieces *p)
{
  const int *cells = p->links->cells;
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++) {
        struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
        const int cell[3] = {i, j, k};
        const size_t at = gmg_links_at(p->links, cell);
        const int count = gmg_links_of(p->links, cell, neighbour);
        double strongest = 0;
        for (int n = 0; n < count; n++)
          strongest = neighbour[n].coupling > strongest ? neighbour[n].coupling : strongest;
        p->strongest[at] = strongest;
        p->diagonal[at] = gmg_links_diagonal(p->links, at, neighbour, count);
      }
}

int gmg_pieces_find(struct gmg_pieces *p, const struct gmg_links *links,
                    const struct gmg_blocks *blocks, int threads)
{
  const size_t cells = gmg_links_count(links);
  *p = (struct gmg_pieces){.links = links, .blocks = blocks, .threads = threads};
  p->strongest = gmg_calloc(cells, sizeof *p->strongest);
  p->diagonal = gmg_calloc(cells, sizeof *p->diagonal);
  p->rigid = gmg_calloc(cells, 1);
  p->label = gmg_calloc(cells, 1);
  p->count = gmg_calloc(gmg_blocks_count(blocks), 1);
  int failed = !p->strongest || !p->diagonal || !p->rigid || !p->label || !p->count;
  if (!failed) {
    measure_cells(p);
    failed = gmg_rigid_mark(links, p->strongest, p->rigid);
  }
#pragma omp parallel for schedule(static) num_threads(threads) if (!failed)
  for (int k = 0; k < (failed ? 0 : blocks->cells[2]); k++)
    for (int j = 0; j < blocks->cells[1]; j++)
      for (int i = 0; i < blocks->cells[0]; i++) {
        const int block[3] = {i, j, k};
        find_in_block(p, block);
      }
  if (failed)
    gmg_pieces_clear(p);
  return failed ? -1 : 0;
}

void gmg_pieces_clear(struct gmg_pieces *p)
{
  gmg_free(p->strongest);
  gmg_free(p->diagonal);
  gmg_free(p->rigid);
  gmg_free(p->label);
  gmg_free(p->count);
  *p = (struct gmg_pieces){.links = NULL};
}
