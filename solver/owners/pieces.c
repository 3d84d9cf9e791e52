#include "pieces.h"

#include "system/memory.h"
#include "system/order.h"

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
        if (p->state[at] == GMG_EMPTY)
          continue;
        memcpy(list->cell[list->count], cell, sizeof cell);
        list->at[list->count++] = at;
      }
}

/* A cell is anchored where all its couplings together are at most this part of its diagonal: a wall
 * or its mass holds it, and the smoother alone finds its value. */
#define ANCHORED_PART 0.2

/* The couplings of the cells of one block, and the pieces that they form. */
struct inside {
  struct gmg_block_cells cells;
  int neighbours[GMG_BLOCK_CELLS];
  signed char place[GMG_BLOCK_CELLS][GMG_NEIGHBOURS]; /* of a neighbour in the list of cells; -1 */
  double coupling[GMG_BLOCK_CELLS][GMG_BLOCK_CELLS];  /* of cells, and later of pieces */
  double strongest[GMG_BLOCK_CELLS];                  /* of cells */
  double sum[GMG_BLOCK_CELLS];                        /* of the couplings of cells */
  double diagonal[GMG_BLOCK_CELLS];                   /* of pieces, by their first cell */
  int rigid[GMG_BLOCK_CELLS];                         /* likewise */
  int label[GMG_BLOCK_CELLS];
  int left_out[GMG_BLOCK_CELLS]; /* 1: the cell is in no piece */
};

/* Where a cell stands in a list; -1: nowhere. */
static int place_of(const struct gmg_block_cells *cells, size_t at)
{
  if (at < cells->at[0] || at > cells->at[cells->count - 1])
    return -1;
  for (int b = 0; b < cells->count; b++)
    if (cells->at[b] == at)
      return b;
  return -1;
}

static void read_block(const struct gmg_pieces *p, const int block[3], struct inside *in)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  gmg_block_list(p, block, &in->cells);
  memset(in->coupling, 0, sizeof in->coupling);
  for (int a = 0; a < in->cells.count; a++) {
    const size_t at = in->cells.at[a];
    const int *cell = in->cells.cell[a], count = gmg_links_of(p->links, cell, neighbour);
    double strongest = 0, sum = 0;
    for (int n = 0; n < count; n++) {
      const double coupling = neighbour[n].coupling;
      const int place = place_of(&in->cells, neighbour[n].at);
      strongest = coupling > strongest ? coupling : strongest;
      sum += coupling;
      in->place[a][n] = (signed char)place;
      if (place >= 0)
        in->coupling[a][place] += coupling;
    }
    in->neighbours[a] = count;
    in->strongest[a] = strongest;
    in->sum[a] = sum;
    in->label[a] = a;
    in->left_out[a] = 0;
    in->diagonal[a] = gmg_links_diagonal(p->links, cell, neighbour, count);
    in->rigid[a] = (p->state[at] & GMG_RIGID) != 0;
  }
}

/* How many neighbours the pieces have. */
static int count_beside(const struct inside *in)
{
  int beside = 0;
  for (int a = 0; a < in->cells.count; a++)
    for (int n = 0; n < in->neighbours[a] && !in->left_out[a]; n++) {
      const int place = in->place[a][n];
      beside += place < 0 || in->label[place] != in->label[a];
    }
  return beside;
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

static void join_strong(struct inside *in)
{
  const int count = in->cells.count;
  char strong[GMG_BLOCK_CELLS][GMG_BLOCK_CELLS];
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      const double most = gmg_most(in->strongest[a], in->strongest[b]);
      strong[a][b] = a != b && in->coupling[a][b] > 0 && in->coupling[a][b] >= GMG_STRONG * most;
    }
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      const int one = in->label[a], two = in->label[b];
      if (strong[a][b] && one != two)
        join(in, one < two ? one : two, one < two ? two : one);
    }
}

/* Pieces whose diagonals are more unlike than this are not joined, though a value could stand for
 * both: a soft cell beside a stiff one would keep that from following the rest of its body. */
#define UNLIKE 100.0

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
        if (!(in->coupling[a][b] > 0) || in->label[a] != a || in->label[b] != b || in->rigid[a]
            || in->rigid[b])
          continue;
        const double least = gmg_least(in->diagonal[a], in->diagonal[b]),
                     most = gmg_most(in->diagonal[a], in->diagonal[b]),
                     held = most > UNLIKE * least ? 0 : in->coupling[a][b] / least;
        if (held >= GMG_HELD_PART && held > best)
          best = held, one = a, two = b;
      }
    if (one < 0)
      return;
    join(in, one, two);
  }
}

/* Joins cells to pieces. Returns how many pieces there are. */
static int join_all(struct inside *in)
{
  int count = 0;
  join_strong(in);
  join_held(in);
  for (int a = 0; a < in->cells.count; a++)
    count += in->label[a] == a && !in->left_out[a];
  return count;
}

/* Leaves anchored cells out, unless all are: a coarse value that stood for one of them and another
 * piece would be held where the smoother holds the one. */
static void leave_out(struct inside *in)
{
  int anchored = 0;
  for (int a = 0; a < in->cells.count; a++) {
    in->left_out[a] = in->sum[a] <= ANCHORED_PART * in->diagonal[a];
    anchored += in->left_out[a];
  }
  for (int a = 0; a < in->cells.count; a++) {
    in->left_out[a] &= anchored < in->cells.count;
    for (int b = 0; b < in->cells.count && in->left_out[a]; b++)
      in->coupling[a][b] = in->coupling[b][a] = 0;
  }
}

/* The pieces of a block that may have several. Those of a single one are its own. */
static void find_in_block(struct gmg_pieces *p, const int block[3])
{
  struct inside in;
  const size_t here = gmg_block_at(p->blocks, block);
  double cell_diagonal[GMG_BLOCK_CELLS];
  read_block(p, block, &in);
  memcpy(cell_diagonal, in.diagonal, sizeof cell_diagonal);
  int count = join_all(&in);
  if (count > 1) {
    read_block(p, block, &in);
    leave_out(&in);
    count = join_all(&in);
  }
  for (int a = 0; a < in.cells.count; a++) {
    unsigned char *state = &p->state[in.cells.at[a]];
    if (in.left_out[a]) {
      *state = GMG_UNOWNED;
      continue;
    }
    p->held[here] += count == 1 ? cell_diagonal[a] : 0;
    *state =
      (unsigned char)(count == 1 ? GMG_ELECTED | GMG_OWN_BLOCK : in.label[a] << GMG_LABEL_SHIFT);
  }
  p->count[here] = (unsigned char)count;
  if (count > 1) {
    p->layer_pieces[block[2]] += (size_t)count;
    p->layer_beside[block[2]] += (size_t)count_beside(&in);
  }
}

int gmg_pieces_find(struct gmg_pieces *p, const struct gmg_links *links,
                    const struct gmg_blocks *blocks, int threads, unsigned char *state)
{
  const size_t cells = gmg_links_count(links);
  *p = (struct gmg_pieces){.links = links, .blocks = blocks, .threads = threads, .state = state};
  p->strong = gmg_calloc(cells, sizeof *p->strong);
  p->count = gmg_calloc(gmg_blocks_count(blocks), 1);
  p->held = gmg_calloc(gmg_blocks_count(blocks), sizeof *p->held);
  p->layer_pieces = gmg_calloc((size_t)blocks->cells[2] + 1, sizeof *p->layer_pieces);
  p->layer_beside = gmg_calloc((size_t)blocks->cells[2] + 1, sizeof *p->layer_beside);
  const int failed = !p->layer_pieces || !p->layer_beside || !p->strong || !p->count || !p->held
    || gmg_strength_note(p) || gmg_rigid_mark(p);
#pragma omp parallel for schedule(static) num_threads(threads) if (!failed)
  for (int k = 0; k < (failed ? 0 : blocks->cells[2]); k++)
    for (int j = 0; j < blocks->cells[1]; j++)
      for (int i = 0; i < blocks->cells[0]; i++) {
        const int block[3] = {i, j, k};
        if (p->count[gmg_block_at(blocks, block)] != 1)
          find_in_block(p, block);
      }
  gmg_free(p->strong);
  p->strong = NULL;
  if (failed)
    gmg_pieces_clear(p);
  return failed ? -1 : 0;
}

void gmg_pieces_clear(struct gmg_pieces *p)
{
  gmg_free(p->strong);
  gmg_free(p->layer_pieces);
  gmg_free(p->layer_beside);
  gmg_free(p->count);
  gmg_free(p->held);
  *p = (struct gmg_pieces){.links = NULL};
}
