#include "weighted.h"

#include "system/memory.h"
#include "system/order.h"

#include <math.h>

enum { MOST_BOXES = 1 << 28 };

/* The pieces that some cells are cut into. */
static int pieces_of(int cells, int nominal)
{
  return cells == 0 ? 0
    : nominal <= 0  ? 1
                    : gmg_larger(1, (int)((cells + (int64_t)nominal / 2) / nominal));
}

/* Where the ranks' parts end along the axis: end[rank], the last of them at the number of cells. */
static void find_ends(int cells, const double *weight, int ranks, int *end)
{
  double most = 0, all = 0, so_far = 0;
  for (int r = 0; r < ranks; r++)
    most = fmax(most, weight[r]);
  for (int r = 0; r < ranks; r++)
    all += weight[r] / most;
  for (int r = 0; r < ranks; r++) {
    so_far += weight[r] / most;
    end[r] = (int)fmin(cells, floor(cells * (so_far / all) + 0.5));
  }
}

/* Appends the cuts of cells lower ... upper - 1, but for the first one. Returns their number. */
static int cut_evenly(int lower, int upper, int pieces, int *cut)
{
  for (int n = 1; n <= pieces; n++)
    cut[n - 1] = lower + (int)((int64_t)(upper - lower) * n / pieces);
  return pieces;
}

/* The cuts of one axis, those of the ranks among them; owner[block]: whose part a block is of; or
 * NULL. Returns 0, or -1 out of memory. */
static int cut_axis(int nominal, const int *end, int ranks, int *blocks, int **cut, int *owner)
{
  int count = 0;
  for (int r = 0; r < ranks; r++)
    count += pieces_of(end[r] - (r ? end[r - 1] : 0), nominal);
  *cut = gmg_calloc((size_t)count + 1, sizeof **cut);
  if (!*cut)
    return -1;
  *blocks = 0;
  for (int r = 0; r < ranks; r++) {
    const int lower = r ? end[r - 1] : 0, pieces = pieces_of(end[r] - lower, nominal);
    for (int n = 0; n < pieces && owner; n++)
      owner[*blocks + n] = r;
    *blocks += cut_evenly(lower, end[r], pieces, *cut + 1 + *blocks);
  }
  return 0;
}

/* Larger boxes, where there would be too many. */
static int coarsen(const int cells[3], int ranks, int nominal)
{
  for (; nominal > 0; nominal *= 2) {
    double boxes = ranks;
    for (int d = 0; d < 3; d++)
      boxes *= 1.0 + (double)cells[d] / nominal;
    if (boxes <= MOST_BOXES)
      break;
  }
  return nominal;
}

struct gmg_layout *gmg_layout_weighted(const int cells[3], int axis, int nominal,
                                       const double *weight, int rank, int ranks)
{
  struct gmg_layout *layout = NULL;
  int blocks[3] = {0}, *cut[3] = {NULL}, *rank_of = NULL;
  int *end = gmg_calloc((size_t)ranks, sizeof *end),
      *owner = gmg_calloc((size_t)cells[axis], sizeof *owner);
  int failed = !end || !owner;
  nominal = coarsen(cells, ranks, nominal);
  if (!failed)
    find_ends(cells[axis], weight, ranks, end);
  for (int d = 0; d < 3 && !failed; d++)
    failed = d == axis ? cut_axis(nominal, end, ranks, &blocks[d], &cut[d], owner)
                       : cut_axis(nominal, &cells[d], 1, &blocks[d], &cut[d], NULL);
  const int count = failed ? 0 : blocks[0] * blocks[1] * blocks[2];
  failed = failed || !(rank_of = gmg_calloc((size_t)count + 1, sizeof *rank_of));
  const int below = axis == 0 ? 1 : axis == 1 ? blocks[0] : blocks[0] * blocks[1];
  for (int b = 0; b < count && !failed; b++)
    rank_of[b] = owner[b / below % blocks[axis]];
  if (!failed)
    layout = gmg_layout_tensor(cells, blocks, cut, rank, ranks, rank_of);
  for (int d = 0; d < 3; d++)
    gmg_free(cut[d]);
  gmg_free(rank_of);
  gmg_free(owner);
  gmg_free(end);
  return layout;
}
