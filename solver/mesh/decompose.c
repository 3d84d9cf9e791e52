#include "decompose.h"

#include "system/memory.h"
#include "system/order.h"

#include <math.h>
#include <string.h>

enum {
  THIN_CELLS = 4, /* boxes of a coarse level thinner than this in every direction are cut anew */
  MOST_BOXES = 1 << 28
};
#define ACROSS_I 4.0         /* how many times a cut across i counts */
#define IMBALANCE (1.0 / 16) /* by how much alignment may make a box longer than the mean */

struct cuts {
  int blocks[3];
  int *cut[3];
};

struct decomposition {
  struct gmg_cutting cutting;
  const struct gmg_pairing (*pairing)[3];
  int levels;
  const int (*cells)[3];
  int rank, ranks;
};

static int64_t count_cells(const int cells[3])
{
  return (int64_t)cells[0] * cells[1] * cells[2];
}

/* Whether a level is one box on rank 0. */
static int is_gathered(const struct decomposition *g, int level)
{
  return level + g->cutting.one >= g->levels
    || count_cells(g->cells[level]) <= (int64_t)GMG_GATHER_ALL * g->cutting.gather;
}

static void free_cuts(struct cuts *cuts)
{
  for (int d = 0; d < 3; d++)
    gmg_free(cuts->cut[d]);
  memset(cuts, 0, sizeof *cuts);
}

static int room_for_cuts(struct cuts *cuts, const int blocks[3])
{
  for (int d = 0; d < 3; d++) {
    cuts->blocks[d] = blocks[d];
    cuts->cut[d] = gmg_malloc(((size_t)blocks[d] + 1) * sizeof *cuts->cut[d]);
  }
  if (cuts->cut[0] && cuts->cut[1] && cuts->cut[2])
    return 1;
  free_cuts(cuts);
  return 0;
}

/* The boundaries of level `deep`'s cells as cells of the level `at`, along axis d. bound:
 * cells[deep][d] + 1 of them. */
static void map_boundaries(const struct decomposition *g, int at, int deep, int d, int *bound)
{
  const int n = g->cells[deep][d];
  for (int c = 0; c < n; c++) {
    bound[c] = c;
    for (int l = deep - 1; l >= at; l--)
      bound[c] = g->pairing[l][d].lo[bound[c]];
  }
  bound[n] = g->cells[at][d];
}

/* Picks blocks + 1 of the boundaries, as near to equal distances as they allow. */
static void pick_cuts(const int *bound, int bounds, int blocks, int *cut)
{
  const int n = bound[bounds];
  cut[0] = 0;
  for (int b = 1, at = 0; b <= blocks; b++) {
    const double ideal = (double)n * b / blocks;
    at++;
    while (at < bounds - (blocks - b) && fabs(bound[at + 1] - ideal) < fabs(bound[at] - ideal))
      at++;
    cut[b] = bound[at];
  }
  cut[blocks] = n;
}

static int balanced(const int *cut, int blocks)
{
  const double mean = (double)cut[blocks] / blocks;
  const double most = fmax(ceil(mean), mean * (1.0 + IMBALANCE)), least = 0.75 * floor(mean);
  for (int b = 0; b < blocks; b++)
    if (cut[b + 1] - cut[b] > most || cut[b + 1] - cut[b] < least)
      return 0;
  return 1;
}

/* Cuts level `at` along the cells of the deepest level that leaves boxes balanced; levels that are
 * gathered do not count. Returns 0, or -1 out of memory. */
static int align_cuts(const struct decomposition *g, int at, const int blocks[3], struct cuts *cuts)
{
  int deep = at;
  while (deep + 1 < g->levels && !is_gathered(g, deep + 1))
    deep++;
  int failed = !room_for_cuts(cuts, blocks);
  for (int done = 0; !failed && !done; deep--) {
    done = 1;
    for (int d = 0; d < 3 && done && !failed; d++) {
      const int bounds = g->cells[deep][d];
      done = bounds >= blocks[d];
      int *bound = done ? gmg_malloc(((size_t)bounds + 1) * sizeof *bound) : NULL;
      failed = done && !bound;
      if (!bound)
        break;
      map_boundaries(g, at, deep, d, bound);
      pick_cuts(bound, bounds, blocks[d], cuts->cut[d]);
      done = deep == at || balanced(cuts->cut[d], blocks[d]);
      gmg_free(bound);
    }
  }
  if (failed)
    free_cuts(cuts);
  return failed ? -1 : 0;
}

/* The grid of `count` blocks with the least cut surface; planes in k rather than j, where equal.
 * Cuts across i count several times: long rows are fast, and passes (overlap.h) want them whole.
 * Returns 0 where no such grid has a cell for every block. */
static int split_count(const int cells[3], int count, int blocks[3])
{
  double least = INFINITY;
  for (int i = 1; i <= count && i <= cells[0]; i++)
    for (int j = 1; count % i == 0 && j <= count / i && j <= cells[1]; j++) {
      const int k = count / i / j;
      if (count / i % j || k > cells[2])
        continue;
      const double surface = ACROSS_I * (i - 1.0) * cells[1] * cells[2]
        + (j - 1.0) * cells[0] * cells[2] + (k - 1.0) * cells[0] * cells[1];
      if (surface < least) {
        least = surface;
        memcpy(blocks, (const int[]){i, j, k}, 3 * sizeof *blocks);
      }
    }
  return least < INFINITY;
}

/* At most `count` blocks, as many as cells admit. */
static void split_ranks(const int cells[3], int count, int blocks[3])
{
  while (!split_count(cells, count, blocks))
    count--;
}

static void split_nominal(const int cells[3], int nominal, int blocks[3])
{
  double total;
  do {
    total = 1.0;
    for (int d = 0; d < 3; d++) {
      blocks[d] = gmg_larger(1, (int)((cells[d] + (int64_t)nominal / 2) / nominal));
      total *= blocks[d];
    }
    nominal *= 2;
  } while (total > MOST_BOXES);
}

static struct gmg_layout *cut_anew(const struct decomposition *g, int level, const int blocks[3])
{
  struct cuts cuts = {{0}, {NULL}};
  if (align_cuts(g, level, blocks, &cuts))
    return NULL;
  struct gmg_layout *layout =
    gmg_layout_tensor(g->cells[level], blocks, cuts.cut, g->rank, g->ranks, NULL);
  free_cuts(&cuts);
  return layout;
}

/* A layout with the same blocks and owners and other cuts. */
static struct gmg_layout *same_boxes(const struct gmg_layout *layout, const int cells[3],
                                     const struct cuts *cuts)
{
  int *owner = gmg_malloc(((size_t)layout->count + 1) * sizeof *owner);
  if (!owner)
    return NULL;
  for (int b = 0; b < layout->count; b++)
    owner[b] = layout->box[b].rank;
  struct gmg_layout *result =
    gmg_layout_tensor(cells, layout->blocks, cuts->cut, layout->rank, layout->ranks, owner);
  gmg_free(owner);
  return result;
}

/* Maps the cuts through the pairing. Returns 0 where one goes through a coarse cell. */
static int coarsen_cuts(const struct gmg_pairing pairing[3], const struct gmg_layout *fine,
                        struct cuts *cuts)
{
  for (int d = 0; d < 3; d++)
    for (int b = 0; b <= fine->blocks[d]; b++) {
      const int at = fine->cut[d][b],
                parent = at < pairing[d].fine ? pairing[d].parent[at] : pairing[d].coarse;
      if (at < pairing[d].fine && pairing[d].lo[parent] != at)
        return 0;
      cuts->cut[d][b] = parent;
    }
  return 1;
}

static int too_thin(const struct cuts *cuts)
{
  for (int d = 0; d < 3; d++)
    for (int b = 0; b < cuts->blocks[d]; b++)
      if (cuts->cut[d][b + 1] - cuts->cut[d][b] >= THIN_CELLS)
        return 0;
  return 1;
}

static struct gmg_layout *make_staging(const struct decomposition *g, int level,
                                       const struct gmg_layout *coarse)
{
  struct cuts cuts = {{0}, {NULL}};
  if (!room_for_cuts(&cuts, coarse->blocks))
    return NULL;
  for (int d = 0; d < 3; d++)
    for (int b = 0; b <= coarse->blocks[d]; b++) {
      const struct gmg_pairing *pairing = &g->pairing[level][d];
      const int at = coarse->cut[d][b];
      cuts.cut[d][b] = at < pairing->coarse ? pairing->lo[at] : pairing->fine;
    }
  struct gmg_layout *staging = same_boxes(coarse, g->cells[level], &cuts);
  free_cuts(&cuts);
  return staging;
}

/* The layout of level + 1, and the staging layout of `level` where it does not inherit. */
static int next_level(const struct decomposition *g, int level, const struct gmg_layout *fine,
                      struct gmg_layout **coarse, struct gmg_layout **staging)
{
  const int *cells = g->cells[level + 1];
  const int64_t total = count_cells(cells);
  const int gather = is_gathered(g, level + 1);
  const int64_t enough = total / g->cutting.gather;
  const int most = gather || enough < 1 ? 1 : enough < g->ranks ? (int)enough : g->ranks;
  struct cuts cuts = {{0}, {NULL}};
  if (!room_for_cuts(&cuts, fine->blocks))
    return -1;
  const int aligned = coarsen_cuts(g->pairing[level], fine, &cuts);
  const int fewer =
    fine->owners > most || (fine->count > most && (gather || (aligned && too_thin(&cuts))));
  if (aligned && !fewer)
    *coarse = same_boxes(fine, cells, &cuts);
  free_cuts(&cuts);
  if (aligned && !fewer)
    return *coarse ? 0 : -1;

  int blocks[3];
  split_ranks(cells, most, blocks);
  *coarse = cut_anew(g, level + 1, blocks);
  if (*coarse)
    *staging = make_staging(g, level, *coarse);
  return *coarse && *staging ? 0 : -1;
}

int gmg_decompose(const struct gmg_pairing (*pairing)[3], int levels, const int cells[][3],
                  const struct gmg_cutting *cutting, int rank, int ranks,
                  struct gmg_layout **layout, struct gmg_layout **staging)
{
  const struct decomposition g = {*cutting, pairing, levels, cells, rank, ranks};
  int blocks[3];
  memset(layout, 0, (size_t)levels * sizeof *layout);
  for (int l = 0; l + 1 < levels; l++)
    staging[l] = NULL;
  const int gathered = cutting->one >= levels;
  if (cutting->nominal > 0 && !gathered)
    split_nominal(cells[0], cutting->nominal, blocks);
  else
    split_ranks(cells[0], gathered ? 1 : ranks, blocks);
  layout[0] = cut_anew(&g, 0, blocks);
  int failed = !layout[0];
  for (int l = 0; l + 1 < levels && !failed; l++)
    failed = next_level(&g, l, layout[l], &layout[l + 1], &staging[l]) != 0;
  if (!failed)
    return 0;
  for (int l = 0; l < levels; l++) {
    gmg_layout_destroy(&layout[l]);
    if (l + 1 < levels)
      gmg_layout_destroy(&staging[l]);
  }
  return -1;
}
