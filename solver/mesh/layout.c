#include "layout.h"

#include "system/memory.h"
#include "system/order.h"

#include <string.h>

static int64_t box_cells(const struct gmg_box *box)
{
  int64_t cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= box->upper[d] > box->lower[d] ? box->upper[d] - box->lower[d] : 0;
  return cells;
}

static struct gmg_layout *create(const int cells[3], int count, int rank, int ranks)
{
  struct gmg_layout *layout = gmg_calloc(1, sizeof *layout);
  if (!layout)
    return NULL;
  memcpy(layout->cells, cells, sizeof layout->cells);
  layout->count = count;
  layout->rank = rank;
  layout->ranks = ranks;
  layout->box = gmg_calloc((size_t)count, sizeof *layout->box);
  if (!layout->box)
    gmg_layout_destroy(&layout);
  return layout;
}

static int is_local(const struct gmg_layout *layout, int b)
{
  return layout->box[b].rank == layout->rank && box_cells(&layout->box[b]) > 0;
}

/* Lists this rank's boxes. Returns the layout; NULL out of memory: then it is destroyed. */
static struct gmg_layout *find_local(struct gmg_layout *layout)
{
  int count = 0;
  for (int b = 0; b < layout->count; b++)
    count += is_local(layout, b);
  layout->local = gmg_malloc(((size_t)count + 1) * sizeof *layout->local);
  if (!layout->local)
    gmg_layout_destroy(&layout);
  for (int b = 0; layout && b < layout->count; b++)
    if (is_local(layout, b))
      layout->local[layout->local_count++] = b;
  return layout;
}

/* Contiguous runs of about equal cells; every rank has a box if there are enough. */
static void share_boxes(struct gmg_layout *layout)
{
  const int ranks = gmg_smaller(layout->ranks, layout->count);
  int64_t total = 0, before = 0;
  for (int b = 0; b < layout->count; b++)
    total += box_cells(&layout->box[b]);
  for (int b = 0, rank = 0, held = 0; b < layout->count; b++) {
    const int64_t size = box_cells(&layout->box[b]);
    const int must =
      layout->count - b == ranks - rank - 1; /* the boxes left are as many as the ranks left */
    const int full = (double)before + 0.5 * (double)size >= (double)total * (rank + 1) / ranks;
    if (held > 0 && rank + 1 < ranks && (must || full)) {
      rank++;
      held = 0;
    }
    layout->box[b].rank = rank;
    held++;
    before += size;
  }
}

struct gmg_layout *gmg_layout_tensor(const int cells[3], const int blocks[3], int *const cut[3],
                                     int rank, int ranks, const int *rank_of)
{
  struct gmg_layout *layout = create(cells, blocks[0] * blocks[1] * blocks[2], rank, ranks);
  if (!layout)
    return NULL;
  for (int d = 0; d < 3; d++) {
    layout->blocks[d] = blocks[d];
    layout->cut[d] = gmg_malloc(((size_t)blocks[d] + 1) * sizeof *layout->cut[d]);
    if (!layout->cut[d]) {
      gmg_layout_destroy(&layout);
      return NULL;
    }
    memcpy(layout->cut[d], cut[d], ((size_t)blocks[d] + 1) * sizeof *layout->cut[d]);
  }
  for (int b = 0; b < layout->count; b++) {
    const int at[3] = {b % blocks[0], b / blocks[0] % blocks[1], b / blocks[0] / blocks[1]};
    for (int d = 0; d < 3; d++) {
      layout->box[b].lower[d] = cut[d][at[d]];
      layout->box[b].upper[d] = cut[d][at[d] + 1];
    }
    if (rank_of)
      layout->box[b].rank = rank_of[b];
  }
  if (!rank_of)
    share_boxes(layout);
  for (int b = 0; b < layout->count; b++)
    layout->owners = gmg_larger(layout->owners, layout->box[b].rank + 1);
  return find_local(layout);
}

struct gmg_layout *gmg_layout_bricks(const int cells[3], const struct gmg_box *brick, int rank,
                                     int ranks)
{
  struct gmg_layout *layout = create(cells, ranks, rank, ranks);
  if (!layout)
    return NULL;
  for (int r = 0; r < ranks; r++) {
    layout->box[r] = brick[r];
    layout->box[r].rank = r;
  }
  layout->owners = ranks;
  return find_local(layout);
}

void gmg_layout_destroy(struct gmg_layout **layout)
{
  if (!layout || !*layout)
    return;
  for (int d = 0; d < 3; d++)
    gmg_free((*layout)->cut[d]);
  gmg_free((*layout)->box);
  gmg_free((*layout)->local);
  gmg_free(*layout);
  *layout = NULL;
}

/* The block that holds cell x: the last one whose lower cut is not beyond it. */
static int find_block(const int *cut, int blocks, int x)
{
  int low = 0, high = blocks - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (cut[middle] <= x)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

void gmg_layout_query(struct gmg_layout_query *query, const struct gmg_layout *layout,
                      const int lower[3], const int upper[3])
{
  *query = (struct gmg_layout_query){.layout = layout};
  for (int d = 0; d < 3; d++) {
    query->lower[d] = gmg_larger(lower[d], 0);
    query->upper[d] = gmg_smaller(upper[d], layout->cells[d]);
    if (query->lower[d] >= query->upper[d])
      query->next = layout->count; /* nothing to find */
  }
  if (query->next || !layout->cut[0])
    return;
  for (int d = 0; d < 3; d++) {
    query->first[d] = query->at[d] = find_block(layout->cut[d], layout->blocks[d], query->lower[d]);
    query->end[d] = find_block(layout->cut[d], layout->blocks[d], query->upper[d] - 1) + 1;
  }
}

static int meets(const struct gmg_box *box, const int lower[3], const int upper[3])
{
  for (int d = 0; d < 3; d++)
    if (box->lower[d] >= upper[d] || box->upper[d] <= lower[d] || box->lower[d] >= box->upper[d])
      return 0;
  return 1;
}

int gmg_layout_next(struct gmg_layout_query *query)
{
  const struct gmg_layout *layout = query->layout;
  if (!layout->cut[0]) {
    while (query->next < layout->count)
      if (meets(&layout->box[query->next++], query->lower, query->upper))
        return query->next - 1;
    return -1;
  }
  if (query->next || query->at[2] >= query->end[2])
    return -1;
  const int b =
    query->at[0] + layout->blocks[0] * (query->at[1] + layout->blocks[1] * query->at[2]);
  for (int d = 0; d < 3; d++) {
    if (++query->at[d] < query->end[d] || d == 2)
      break;
    query->at[d] = query->first[d];
  }
  return b;
}

int gmg_layout_local(const struct gmg_layout *layout, int box)
{
  if (layout->box[box].rank != layout->rank)
    return -1;
  int low = 0, high = layout->local_count - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    if (layout->local[middle] == box)
      return middle;
    if (layout->local[middle] < box)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}
