#include "measure.h"

#include "cycle.h"
#include "smooth.h"
#include "system/order.h"

#include <math.h>

enum { CYCLES = 6, SWEEPS = 8 };
#define POOR_FACTOR 0.45  /* of a cycle */
#define HUGE_GROWTH 1e100 /* before numbers overflow */

static double norm_of(struct gmg_hierarchy *h, int l)
{
  return sqrt(gmg_reduce(&h->level[l].norm, NULL));
}

static double one(int i, int j, int k)
{
  (void)i, (void)j, (void)k;
  return 1;
}

/* With the signs of a checkerboard A u is |A| |u| up to signs, where neighbours enter with one
 * sign.
 */
static double sign(int i, int j, int k)
{
  return (i + j + k) % 2 ? -1 : 1;
}

static double residual_of(struct gmg_hierarchy *h, double (*u)(int i, int j, int k))
{
  gmg_call_wait(h->context);
  gmg_fill_field(h->finest, gmg_level_open(h->finest, GMG_NAME_U, GMG_CHANGE)->box, u);
  gmg_call_run(h->clear_f);
  return sqrt(gmg_reduce(&h->norm, NULL));
}

static void start_from_noise(struct gmg_hierarchy *h, int l)
{
  gmg_call_wait(h->context);
  gmg_fill_noise(h->level[l].level, gmg_level_open(h->level[l].level, GMG_NAME_U, GMG_CHANGE)->box);
  gmg_call_run(h->level[l].zero_f);
}

/* By the last of some cycles on A u = 0, as long as rounding does not keep the residual from
 * falling further. */
static double cycle_factor(struct gmg_hierarchy *h, int l)
{
  start_from_noise(h, l);
  const double first = norm_of(h, l), rounding = h->precision == GMG_F64 ? 1e-12 : 1e-5;
  double before = first, after = first;
  for (int n = 0; n < CYCLES && after > rounding * first; n++) {
    before = after;
    gmg_cycle(h, l, h->cycle);
    after = norm_of(h, l);
    if (!(after < HUGE_GROWTH * first))
      return INFINITY;
  }
  return before > 0 ? after / before : 0;
}

static double smoothing_factor(struct gmg_hierarchy *h, int l)
{
  start_from_noise(h, l);
  double before = 1, after = 1;
  for (int n = 0; n < SWEEPS; n++) {
    before = after;
    gmg_smooth_once(h, l);
    after = norm_of(h, l);
  }
  return isfinite(after) && before > 0 ? after / before : INFINITY;
}

void gmg_measure_forget(struct gmg_hierarchy *h, int from)
{
  static const enum gmg_name names[] = {GMG_NAME_U, GMG_NAME_F, GMG_NAME_W, GMG_NAME_R};
  gmg_call_wait(h->context);
  for (size_t n = 0; n < GMG_LENGTH(names); n++) {
    if (from == 0)
      gmg_level_clear(h->finest, names[n]);
    for (int l = from; l < h->levels; l++)
      gmg_level_clear(h->level[l].level, names[n]);
  }
}

void gmg_measure(struct gmg_hierarchy *h, struct gmg_measured *m)
{
  *m = (struct gmg_measured){.known = 1, .level = -1};
  for (int l = gmg_smaller(gmg_bottom_level(h), GMG_MEASURED_LEVELS - 1); l >= 0; l--) {
    m->factor[l] = h->level[l].level->cells > 1 ? cycle_factor(h, l) : 0;
    if (m->level < 0 && m->factor[l] > POOR_FACTOR)
      m->level = l;
  }
  const int smoothed = m->level >= 0 ? m->level : 0;
  m->smoothing = smoothed + 1 < h->levels ? smoothing_factor(h, smoothed) : 0;
  m->constant = residual_of(h, one) / residual_of(h, sign);
  /* What is left here would be multiplied by 0 in the next solve, which a NaN survives. */
  gmg_measure_forget(h, 0);
}
