#include "measure.h"

#include "cycle.h"
#include "problem/kernels.h"
#include "smooth.h"

#include <math.h>

enum { CYCLES = 6, SWEEPS = 8 };
#define POOR_FACTOR 0.45  /* of a cycle */
#define HUGE_GROWTH 1e100 /* before numbers overflow */

gmg_status gmg_measure_bind(struct gmg_hierarchy *h, int l)
{
  static const struct gmg_rename of_f[] = {{"y", "f"}, {NULL, NULL}};
  struct gmg_cycle_level *level = &h->level[l];
  gmg_status status = gmg_call_keep(gmg_operator_kernel(h->problem, GMG_RESIDUAL_NORM),
                                    level->level, NULL, NULL, &level->norm.sum);
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(h->problem, "set"), level->level, NULL, of_f,
                           &level->zero_f);
  if (!status)
    gmg_call_set(level->zero_f, GMG_SCALAR_S, 0);
  return status;
}

static double norm_of(struct gmg_hierarchy *h, int l)
{
  return sqrt(gmg_reduce(&h->level[l].norm, NULL));
}

/* u of the finest level, in double, over; with the signs of a checkerboard A u is |A| |u| up to
 * signs, where neighbours enter with one sign. */
enum fill { SIGNS, ONES };

static double residual_of(struct gmg_hierarchy *h, enum fill fill)
{
  struct gmg_level *level = h->finest;
  gmg_call_wait(h->context);
  void **u = gmg_level_open(level, GMG_NAME_U, GMG_CHANGE)->box;
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    for (int k = 0; k < box->cells[2]; k++)
      for (int j = 0; j < box->cells[1]; j++)
        for (int i = 0; i < box->cells[0]; i++) {
          const int odd = (box->lower[0] + i + box->lower[1] + j + box->lower[2] + k) % 2;
          gmg_level_put(level, u[b], gmg_offset(box, i, j, k), odd && fill == SIGNS ? -1 : 1);
        }
  }
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

/* What is left here would be multiplied by 0 in the next solve, which a NaN survives. */
static void forget(struct gmg_level *level)
{
  static const enum gmg_name names[] = {GMG_NAME_U, GMG_NAME_F, GMG_NAME_W, GMG_NAME_R};
  gmg_call_wait(level->context);
  for (size_t n = 0; n < GMG_LENGTH(names); n++)
    gmg_level_clear(level, names[n]);
}

void gmg_measure(struct gmg_hierarchy *h, struct gmg_measured *m)
{
  *m = (struct gmg_measured){.known = 1, .level = -1};
  for (int l = (h->levels < GMG_MEASURED_LEVELS ? h->levels : GMG_MEASURED_LEVELS) - 1; l >= 0;
       l--) {
    m->factor[l] = h->level[l].level->cells > 1 ? cycle_factor(h, l) : 0;
    if (m->level < 0 && m->factor[l] > POOR_FACTOR)
      m->level = l;
  }
  const int smoothed = m->level >= 0 ? m->level : 0;
  m->smoothing = smoothed + 1 < h->levels ? smoothing_factor(h, smoothed) : 0;
  m->constant = residual_of(h, ONES) / residual_of(h, SIGNS);
  forget(h->finest);
  for (int l = 0; l < h->levels; l++)
    forget(h->level[l].level);
}
