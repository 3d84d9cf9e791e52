#include "turns.h"

#include "system/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  COLOURS = 3, /* along an axis: blocks of one colour do not meet in what they decide */
  ALL_COLOURS = COLOURS * COLOURS * COLOURS
};

/* The place of a piece's group: largest sizes first, and in them colour by colour from the last. */
static uint32_t group_of(const int block[3], int size_class)
{
  int colour = 0;
  for (int d = 2; d >= 0; d--)
    colour = COLOURS * colour + block[d] % COLOURS;
  return (uint32_t)((GMG_SIZE_CLASSES - 1 - size_class) * ALL_COLOURS + ALL_COLOURS - 1 - colour);
}

/* While pieces are listed: as they come, block by block. */
struct list {
  size_t *layer; /* where a layer of blocks begins */
  uint32_t *first, *group;
};

static void list_layer(const struct gmg_pieces *p, int k, struct list *list)
{
  const struct gmg_blocks *blocks = p->blocks;
  size_t n = list->layer[k];
  for (int j = 0; j < blocks->cells[1]; j++)
    for (int i = 0; i < blocks->cells[0]; i++) {
      const int block[3] = {i, j, k};
      struct gmg_block_cells cells;
      if (p->count[gmg_block_at(blocks, block)] < 2)
        continue;
      gmg_block_list(p, block, &cells);
      for (int a = 0; a < cells.count; a++) {
        if (gmg_label(p, cells.at[a]) != a)
          continue;
        list->first[n] = (uint32_t)cells.at[a];
        list->group[n++] = group_of(block, p->strong[cells.at[a]]);
      }
    }
}

static void count_layers(const struct gmg_pieces *p, size_t *layer)
{
  const size_t blocks = (size_t)p->blocks->cells[0] * (size_t)p->blocks->cells[1];
  layer[0] = 0;
  for (int k = 0; k < p->blocks->cells[2]; k++) {
    size_t pieces = 0;
    for (size_t b = 0; b < blocks; b++) {
      const unsigned char count = p->count[(size_t)k * blocks + b];
      pieces += count > 1 ? count : 0;
    }
    layer[k + 1] = layer[k] + pieces;
  }
}

/* Moves pieces to their groups in the order in which they came; `start` has room for all groups.
 * Returns how many groups have pieces. */
static size_t sort(const struct list *list, size_t *start, struct gmg_turns *turns)
{
  const size_t all = (size_t)GMG_SIZE_CLASSES * ALL_COLOURS;
  size_t at = 0, groups = 0;
  memset(start, 0, all * sizeof *start);
  for (size_t n = 0; n < turns->pieces; n++)
    start[list->group[n]]++;
  for (size_t g = 0; g < all; g++) {
    const size_t count = start[g];
    start[g] = at;
    at += count;
    groups += count > 0;
  }
  for (size_t n = 0; n < turns->pieces; n++)
    turns->first[start[list->group[n]]++] = list->first[n];
  return groups; /* start[g] is where group g ends */
}

static int compare(const void *one, const void *two)
{
  const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;
  return (a > b) - (a < b);
}

/* Around a periodic axis two blocks of one colour may be neighbours: then the order of the first
 * cells decides. */
static void order_groups(const struct gmg_pieces *p, struct gmg_turns *turns)
{
  for (int d = 0; d < 3; d++)
    turns->meet |= p->blocks->periodic[d] && p->blocks->cells[d] % COLOURS != 0;
  for (size_t g = 0; turns->meet && g < turns->groups; g++)
    qsort(turns->first + turns->group[g], turns->group[g + 1] - turns->group[g],
          sizeof *turns->first, compare);
}

static int list_all(const struct gmg_pieces *p, struct list *list, struct gmg_turns *turns)
{
  const int layers = p->blocks->cells[2];
  const size_t all = (size_t)GMG_SIZE_CLASSES * ALL_COLOURS;
  count_layers(p, list->layer);
  turns->pieces = list->layer[layers];
  list->first = gmg_malloc((turns->pieces + 1) * sizeof *list->first);
  list->group = gmg_malloc((turns->pieces + 1) * sizeof *list->group);
  turns->first = gmg_malloc((turns->pieces + 1) * sizeof *turns->first);
  size_t *start = gmg_malloc(all * sizeof *start);
  int failed = !list->first || !list->group || !turns->first || !start;
#pragma omp parallel for schedule(dynamic) num_threads(p->threads) if (!failed)
  for (int k = 0; k < (failed ? 0 : layers); k++)
    list_layer(p, k, list);
  if (!failed) {
    turns->groups = sort(list, start, turns);
    turns->group = gmg_calloc(turns->groups + 1, sizeof *turns->group);
    failed = !turns->group;
  }
  for (size_t g = 0, n = 1, end = 0; !failed && g < all; g++)
    if (start[g] > end)
      turns->group[n++] = end = start[g];
  gmg_free(start);
  return failed ? -1 : 0;
}

int gmg_turns_list(const struct gmg_pieces *p, struct gmg_turns *turns)
{
  struct list list = {NULL, NULL, NULL};
  *turns = (struct gmg_turns){.pieces = 0};
  list.layer = gmg_malloc(((size_t)p->blocks->cells[2] + 1) * sizeof *list.layer);
  const int failed = !list.layer || list_all(p, &list, turns);
  gmg_free(list.layer);
  gmg_free(list.first);
  gmg_free(list.group);
  if (failed)
    gmg_turns_clear(turns);
  else
    order_groups(p, turns);
  return failed ? -1 : 0;
}

void gmg_turns_clear(struct gmg_turns *turns)
{
  gmg_free(turns->first);
  gmg_free(turns->group);
  *turns = (struct gmg_turns){.pieces = 0};
}
