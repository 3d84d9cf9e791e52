#include "relaxation.h"

#include "mesh/merge.h"
#include "system/order.h"

#include <math.h>

/* Whether one direction couples far more strongly than all others, by the weighted widths in the
 * middle of directions of several cells. The problem is then nearly one of lines, in which
 * red-black Gauss-Seidel wants no over-relaxation. */
static int is_nearly_lines(const struct gmg_hierarchy *h, int l)
{
  const double far_more = 16;
  double least = INFINITY, second = INFINITY;
  for (int d = 0; d < 3; d++)
    if (h->cells[l][d] > 1) {
      const double width = h->axis[l][d].weight * h->axis[l][d].width[h->cells[l][d] / 2];
      second = fmin(second, fmax(width, least));
      least = fmin(least, width);
    }
  return isfinite(second) && second > far_more * least;
}

int gmg_colours_clash(const struct gmg_hierarchy *h, int l)
{
  return gmg_axes_clash(h->axis[l]);
}

int gmg_is_cubical(const struct gmg_hierarchy *h, int l)
{
  const double about_equal = 1.5;
  enum { SHORT = 4 };
  double least = INFINITY, most = 0;
  int fewest = h->cells[l][0], largest = h->cells[l][0];
  for (int d = 0; d < 3; d++) {
    const struct gmg_axis *axis = &h->axis[l][d];
    for (int i = 0; i < axis->cells; i++) {
      least = fmin(least, axis->weight * axis->width[i]);
      most = fmax(most, axis->weight * axis->width[i]);
    }
    fewest = gmg_smaller(fewest, axis->cells);
    largest = gmg_larger(largest, axis->cells);
  }
  return most <= about_equal * least && largest <= SHORT * fewest && !gmg_colours_clash(h, l);
}

/* How much wider, half of each pair of cells along one axis is than a cell along another one, at
 * most: how weakly cells may be coupled along the first, which sweeps have to smooth there, too. */
static double unevenness(const struct gmg_hierarchy *h, int l)
{
  double narrowest[3], widest[3], uneven = 1;
  for (int d = 0; d < 3; d++) {
    const struct gmg_axis *axis = &h->axis[l][d];
    const struct gmg_pairing *pairing = &h->pairing[l][d];
    narrowest[d] = INFINITY;
    widest[d] = 0;
    for (int i = 0; i < axis->cells && axis->cells > 1; i++)
      narrowest[d] = fmin(narrowest[d], axis->weight * axis->width[i]);
    for (int c = 0; c < pairing->coarse; c++)
      if (pairing->lo[c] != pairing->hi[c])
        widest[d] =
          fmax(widest[d],
               0.5 * axis->weight * (axis->width[pairing->lo[c]] + axis->width[pairing->hi[c]]));
  }
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      if (e != d)
        uneven = fmax(uneven, widest[d] / narrowest[e]);
  return uneven;
}

int gmg_relaxation_times(const struct gmg_hierarchy *h, int l)
{
  const double uneven = 2.5, very_uneven = 5;
  if (l + 1 == h->levels || !gmg_axes_stretched(h->axis[0]))
    return 1;
  const double by = unevenness(h, l);
  return by > very_uneven ? 3 : by > uneven ? 2 : 1;
}

/* Relaxation factors of the half-sweeps of a V(2,2)-cycle of red-black Gauss-Seidel, after its
 * coarse correction and before the next one, found by a search for the least contraction of whole
 * cycles (docs/performance/relaxation.md). The last one is 1, which leaves no residual in the cells
 * of the second colour. */
static const double searched[2][2][GMG_HALF_SWEEPS] = {
  {{1.38, 1.43, 1.46, 1.48}, {1.28, 1.25, 1.32, 1.0}},
  {{1.51, 1.38, 1.38, 1.42}, {1.32, 1.12, 1.25, 1.0}}}; /* cubes */

int gmg_may_take_factors(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_options *o = &h->problem->options;
  const struct gmg_operator_descriptor *op = h->level[l].level->op;
  return o->omega == GMG_OPTION_AUTO && o->smoother == GMG_SMOOTH_GSRB
    && (op->parity || (op->relaxation && !h->owners)) && o->pre == 2 && o->post == 2;
}

/* Widths of a level's cells along the axes. 0: those along an axis differ, or an axis has one. */
static int find_widths(const struct gmg_hierarchy *h, int l, double width[3])
{
  const double equal = 1.1;
  for (int d = 0; d < 3; d++) {
    const struct gmg_axis *axis = &h->axis[l][d];
    double narrowest = INFINITY;
    width[d] = 0;
    for (int i = 0; i < axis->cells; i++) {
      narrowest = fmin(narrowest, axis->weight * axis->width[i]);
      width[d] = fmax(width[d], axis->weight * axis->width[i]);
    }
    if (axis->cells == 1 || width[d] > equal * narrowest)
      return 0;
  }
  return 1;
}

static enum gmg_shape shape_of(const double width[3], double least, double most)
{
  const double equal = 1.1, merged = 1.5 * (1 + 1e-9);
  int wide = 0, odd[2] = {0, 0};
  for (int d = 0; d < 3; d++) {
    const int is_wide = width[d] > merged * least;
    wide += is_wide;
    odd[is_wide] = d;
  }
  if (wide == 0)
    return most <= equal * least ? GMG_CUBES : GMG_NEARLY_CUBES;
  return wide == 1 ? GMG_WIDE_I + odd[1] : GMG_NARROW_I + odd[0];
}

/* The shape of a level's cells: what the operator's factors are for. -1: none. */
static int find_shape(const struct gmg_hierarchy *h, int l, int *is_far)
{
  const double far = 16;
  double width[3];
  if (!find_widths(h, l, width))
    return -1;
  const double least = fmin(width[0], fmin(width[1], width[2])),
               most = fmax(width[0], fmax(width[1], width[2]));
  *is_far = most > far * least;
  return (int)shape_of(width, least, most);
}

/* A level's factors; NULL: one for all. Where β jumps these cost more W-cycles (lognormal, layers:
 * 8 and 9) than 1.15 for all (6 and 7). Red-black sweeps have their own on cubes, where analysis
 * gains nothing over the search, and where cells are farther from cubes than it looked. */
static const double (*factors_of(const struct gmg_hierarchy *h, int l))[GMG_HALF_SWEEPS]
{
  const struct gmg_operator_descriptor *op = h->level[l].level->op;
  int is_far = 0;
  if (!gmg_may_take_factors(h, l) || gmg_beta_jumps(h) || gmg_colours_clash(h, l)
      || h->level[l].times > 1)
    return NULL;
  const int shape = find_shape(h, l, &is_far);
  if (op->parity && (!op->relaxation || h->owners || shape < 0 || shape == GMG_CUBES || is_far))
    return searched[gmg_is_cubical(h, l)];
  return shape >= 0 ? op->relaxation[shape].gauss_seidel : NULL;
}

/* By analysis, or what is usual. */
static double choose_damping(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_operator_descriptor *op = h->level[l].level->op;
  int is_far = 0;
  const int shape =
    op->relaxation && !h->owners && !gmg_beta_jumps(h) ? find_shape(h, l, &is_far) : -1;
  return shape >= 0 ? op->relaxation[shape].jacobi : 8.0 / 9.0;
}

/* One factor for all half-sweeps, by measurement: over-relaxation helps red-black Gauss-Seidel,
 * most on cubes with a smooth β; not with more colours, but on coarse levels with owners
 * (docs/performance/owners.md); Jacobi wants damping. */
static double choose_omega(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_options *o = &h->problem->options;
  if (o->omega != GMG_OPTION_AUTO)
    return o->omega;
  if (o->smoother == GMG_SMOOTH_JACOBI)
    return choose_damping(h, l);
  const int over_relaxes = h->level[l].level->op->parity || (h->owners && l > 0);
  if (h->level[l].times > 1 && over_relaxes && !gmg_colours_clash(h, l))
    return h->level[l].times > 2 ? 1.6 : 1.45;
  if (h->owners && l > 0 && !gmg_colours_clash(h, l))
    return 1.3;
  if (!h->level[l].level->op->parity || is_nearly_lines(h, l))
    return 1.0;
  if (o->pre + o->post <= 2)
    return 1.2;
  return gmg_is_cubical(h, l) && !gmg_beta_jumps(h) ? 1.23 : 1.15;
}

static double mean_of(const double factor[2][GMG_HALF_SWEEPS])
{
  double sum = 0;
  for (int n = 0; n < GMG_HALF_SWEEPS; n++)
    sum += factor[0][n] + factor[1][n];
  return sum / (2 * GMG_HALF_SWEEPS);
}

/* Which of two colours has a residual left after the sweeps before the coarse correction, in the
 * numbers that gmg_counts() takes; 0: both. */
static int active_colour(const struct gmg_hierarchy *h, int l)
{
  enum { FIRST_COLOUR = 1 };
  const struct gmg_cycle_level *level = &h->level[l];
  const double last = level->factor ? level->factor[1][GMG_HALF_SWEEPS - 1] : level->omega;
  const struct gmg_options *o = &h->problem->options;
  const int solves = o->smoother == GMG_SMOOTH_GSRB && level->level->op->parity && o->pre > 0
    && !gmg_colours_clash(h, l) && last == 1;
  return solves ? FIRST_COLOUR : 0;
}

/* Less than 1: then no difference grows, however strong the coupling. */
#define DAMPED 0.9

static int damp_levels(const struct gmg_hierarchy *h, struct gmg_cycle_level *level)
{
  int any = 0;
  for (int l = 0; level && l < h->levels; l++)
    if (level[l].level->op->parity && gmg_colours_clash(h, l) && level[l].omega > DAMPED) {
      level[l].omega = DAMPED;
      any = 1;
    }
  return any;
}

int gmg_relaxation_damp(struct gmg_hierarchy *h)
{
  const struct gmg_options *o = &h->problem->options;
  if (h->damped || gmg_by_transforms(h->problem) || o->omega != GMG_OPTION_AUTO
      || o->smoother != GMG_SMOOTH_GSRB)
    return 0;
  h->damped = damp_levels(h, h->level);
  damp_levels(h, h->other.level);
  return h->damped;
}

void gmg_relaxation_restore(struct gmg_hierarchy *h)
{
  if (!h->damped)
    return;
  gmg_relaxation_choose(h);
  if (!h->other.level)
    return;
  gmg_cycles_exchange(h);
  gmg_relaxation_choose(h);
  gmg_cycles_exchange(h);
}

void gmg_relaxation_choose(struct gmg_hierarchy *h)
{
  h->damped = 0;
  for (int l = 0; l < h->levels; l++) {
    h->level[l].times = gmg_relaxation_times(h, l);
    h->level[l].factor = factors_of(h, l);
    h->level[l].omega = h->level[l].factor ? mean_of(h->level[l].factor) : choose_omega(h, l);
    h->level[l].active_colour = active_colour(h, l);
  }
  h->omega = h->level[0].omega;
}
