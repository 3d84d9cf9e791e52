#include "merge.h"

#include "system/memory.h"

#include <math.h>
#include <string.h>

#define LONE_WIDTH 0.6 /* an end cell narrower than this times its neighbour was left alone */

void gmg_axis_distances(const struct gmg_axis *axis, double *distance)
{
  const double *w = axis->width;
  const int n = axis->cells;
  for (int i = 1; i < n; i++)
    distance[i] = 0.5 * (w[i - 1] + w[i]);
  if (axis->kind[0] == GMG_PERIODIC) {
    distance[0] = distance[n] = 0.5 * (w[n - 1] + w[0]);
  } else {
    distance[0] = w[0];
    distance[n] = w[n - 1];
  }
}

double gmg_axis_ghost_factor(const struct gmg_axis *axis, int side)
{
  const double h = axis->width[side ? axis->cells - 1 : 0];
  switch (axis->kind[side]) {
  case GMG_DIRICHLET:
    return -1.0;
  case GMG_NEUMANN:
    return 1.0;
  case GMG_ROBIN: /* c0 (u + ghost) / 2 + c1 (ghost - u) / h = 0 */
    return (2.0 * axis->c1[side] - axis->c0[side] * h)
      / (2.0 * axis->c1[side] + axis->c0[side] * h);
  case GMG_PERIODIC:
    break;
  }
  return 0.0;
}

void gmg_axes_periodic(const struct gmg_axis axis[3], int periodic[3])
{
  for (int d = 0; d < 3; d++)
    periodic[d] = axis[d].kind[0] == GMG_PERIODIC;
}

void gmg_axis_clear(struct gmg_axis *axis)
{
  gmg_free(axis->width);
  axis->width = NULL;
}

void gmg_pairing_clear(struct gmg_pairing *pairing)
{
  gmg_free(pairing->own); /* the others lie after it */
  *pairing = (struct gmg_pairing){0};
}

/* Coarse cells of one direction when neighbours up to `target` wide together are merged, times the
 * direction's weight; records where cells merge if parent is given. */
static int pair_cells(const struct gmg_axis *fine, int level, double target, int *parent)
{
  const int n = fine->cells;
  int coarse = 0;
  for (int i = 0; i < n; coarse++) {
    const int alone = i == 0 && level % 2 == 1 && n % 2 == 1;
    const int pair =
      !alone && i + 1 < n && fine->weight * (fine->width[i] + fine->width[i + 1]) <= target;
    if (parent)
      for (int c = 0; c <= pair; c++)
        parent[i + c] = coarse;
    i += 1 + pair;
  }
  return coarse;
}

/* The smallest width of two neighbours together, times the direction's weight. A cell that an odd
 * number left alone at an end, narrower than the others, says nothing about the direction: it
 * counts only where there is no other pair. INFINITY for one cell. */
static double smallest_pair(const struct gmg_axis *axis)
{
  const double *w = axis->width;
  const int n = axis->cells;
  int first = 0, last = n - 1; /* pairs (i, i + 1), i = first ... last - 1 */
  if (last - first > 1 && w[0] < LONE_WIDTH * w[1])
    first++;
  if (last - first > 1 && w[n - 1] < LONE_WIDTH * w[n - 2])
    last--;
  double smallest = INFINITY;
  for (int i = first; i < last; i++)
    smallest = fmin(smallest, w[i] + w[i + 1]);
  return axis->weight * smallest;
}

int gmg_axes_clash(const struct gmg_axis axis[3])
{
  for (int d = 0; d < 3; d++)
    if (axis[d].kind[0] == GMG_PERIODIC && axis[d].cells % 2)
      return 1;
  return 0;
}

double gmg_pairing_target(const struct gmg_axis fine[3], int level, double merge)
{
  const double smallest =
    fmin(smallest_pair(&fine[0]), fmin(smallest_pair(&fine[1]), smallest_pair(&fine[2])));
  if (smallest == INFINITY)
    return 0.0;
  /* The slack keeps rounding in widths that are meant to be equal from deciding cell by cell. */
  for (double target = merge * smallest * (1.0 + 1e-9);; target *= 2.0)
    for (int d = 0; d < 3; d++)
      if (pair_cells(&fine[d], level, target, NULL) < fine[d].cells)
        return target;
}

/* Weights of the linear interpolation at fine cell i, `away` from the centre of its parent to the
 * side (0 low, 1 high). */
static void interpolate_cell(struct gmg_pairing *p, const struct gmg_axis *coarse, int i,
                             double away, int side)
{
  const int parent = p->parent[i], next = parent + (side ? 1 : -1);
  const int wall = (next < 0 || next >= p->coarse) && coarse->kind[side] != GMG_PERIODIC;
  const double width = coarse->width[parent];
  p->near[i] = parent;
  p->own[i] = 1.0;
  p->other[i] = 0.0;
  if (away == 0.0)
    return;
  if (wall) {          /* between the parent and its ghost, which is a multiple of it */
    p->near[i] = next; /* with weight 0, so that the table keeps its rule */
    p->own[i] = 1.0 - away / width * (1.0 - gmg_axis_ghost_factor(coarse, side));
    return;
  }
  const int image = next < 0 ? p->coarse - 1 : next >= p->coarse ? 0 : next;
  const double weight = away / (0.5 * (width + coarse->width[image]));
  p->near[i] = next;
  p->own[i] = 1.0 - weight;
  p->other[i] = weight;
}

static int coarsen_direction(const struct gmg_axis *fine, int level, double target,
                             struct gmg_axis *coarse, struct gmg_pairing *p)
{
  const size_t n = (size_t)fine->cells, m = (size_t)pair_cells(fine, level, target, NULL);
  p->fine = fine->cells;
  p->coarse = (int)m;
  p->own = gmg_malloc(2 * n * sizeof *p->own + 2 * (m + n) * sizeof *p->lo);
  *coarse = *fine;
  coarse->cells = (int)m;
  coarse->width = gmg_malloc(m * sizeof *coarse->width);
  if (!p->own || !coarse->width)
    return -1;
  p->other = p->own + n;
  p->lo = (int *)(void *)(p->other + n);
  p->hi = p->lo + m;
  p->parent = p->hi + m;
  p->near = p->parent + n;

  pair_cells(fine, level, target, p->parent);
  for (int i = p->fine - 1; i >= 0; i--)
    p->lo[p->parent[i]] = i;
  for (int i = 0; i < p->fine; i++)
    p->hi[p->parent[i]] = i;
  for (int c = 0; c < p->coarse; c++)
    coarse->width[c] =
      p->lo[c] == p->hi[c] ? fine->width[p->lo[c]] : fine->width[p->lo[c]] + fine->width[p->hi[c]];
  for (int c = 0; c < p->coarse; c++) {
    const int lo = p->lo[c], hi = p->hi[c];
    interpolate_cell(p, coarse, lo, lo == hi ? 0.0 : 0.5 * fine->width[hi], 0);
    if (lo != hi)
      interpolate_cell(p, coarse, hi, 0.5 * fine->width[lo], 1);
  }
  return 0;
}

/* Pairs along each axis up to its target. Returns -1 out of memory. */
static int coarsen(const struct gmg_axis fine[3], int level, const double target[3],
                   struct gmg_axis coarse[3], struct gmg_pairing pairing[3])
{
  int failed = 0;
  for (int d = 0; d < 3; d++) {
    coarse[d] = (struct gmg_axis){0};
    pairing[d] = (struct gmg_pairing){0};
    failed |= coarsen_direction(&fine[d], level, target[d], &coarse[d], &pairing[d]);
  }
  for (int d = 0; d < 3 && failed; d++) {
    gmg_axis_clear(&coarse[d]);
    gmg_pairing_clear(&pairing[d]);
  }
  return failed ? -1 : 0;
}

int gmg_coarsen(const struct gmg_axis fine[3], int level, double merge, struct gmg_axis coarse[3],
                struct gmg_pairing pairing[3])
{
  const double target =
                 gmg_pairing_target(fine, level, gmg_axes_clash(fine) ? GMG_MERGE_WIDTH : merge),
               targets[3] = {target, target, target};
  if (target > 0.0)
    return coarsen(fine, level, targets, coarse, pairing) ? -1 : 1;
  memset(coarse, 0, 3 * sizeof *coarse);
  memset(pairing, 0, 3 * sizeof *pairing);
  return 0;
}

int gmg_coarsen_up_to(const struct gmg_axis fine[3], int level, const double width[3],
                      struct gmg_axis coarse[3], struct gmg_pairing pairing[3])
{
  double target[3];
  for (int d = 0; d < 3; d++)
    target[d] = fine[d].weight * width[d];
  return coarsen(fine, level, target, coarse, pairing);
}
