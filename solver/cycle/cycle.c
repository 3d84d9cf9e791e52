#include "cycle.h"

#include "bottom.h"
#include "fmg.h"
#include "precision.h"
#include "singular.h"
#include "smooth.h"
#include "transfer.h"

/* What a cycle does after its first visit to a level below: a W another W, an F a V. */
static void cycle_again(struct gmg_hierarchy *h, int l, enum gmg_cycle_kind kind)
{
  if (kind != GMG_CYCLE_V && h->level[l].twice)
    gmg_cycle(h, l, kind == GMG_CYCLE_W ? GMG_CYCLE_W : GMG_CYCLE_V);
}

void gmg_cycle_down(struct gmg_hierarchy *h, int l, struct gmg_reducer *norm, int whole)
{
  gmg_smooth_before(h, l);
  gmg_restrict_residual(h, l, norm, whole); /* f_coarse = R (f - A u), with the norm of f - A u */
}

void gmg_cycle_up(struct gmg_hierarchy *h, int l, enum gmg_cycle_kind kind)
{
  const int coarse = l + 1;
  gmg_cycle_from_zero(h, coarse, kind); /* A_coarse u_coarse = f_coarse */
  cycle_again(h, coarse, kind);
  gmg_interpolate(h, l); /* u += P u_coarse */
  gmg_smooth_after(h, l);
}

static int is_bottom(const struct gmg_hierarchy *h, int l)
{
  return l == gmg_bottom_level(h) || l + 1 == h->levels;
}

void gmg_cycle(struct gmg_hierarchy *h, int l, enum gmg_cycle_kind kind)
{
  if (is_bottom(h, l)) {
    gmg_bottom_solve(h, l);
    return;
  }
  gmg_cycle_down(h, l, NULL, 0);
  gmg_cycle_up(h, l, kind);
}

void gmg_cycle_from_zero(struct gmg_hierarchy *h, int l, enum gmg_cycle_kind kind)
{
  if (is_bottom(h, l)) {
    gmg_bottom_solve_from_zero(h, l);
    return;
  }
  gmg_smooth_from_zero(h, l);
  gmg_restrict_residual(h, l, NULL, 0);
  gmg_cycle_up(h, l, kind);
}

void gmg_cycle_fmg(struct gmg_hierarchy *h, int l)
{
  if (is_bottom(h, l)) {
    gmg_cycle_from_zero(h, l, GMG_CYCLE_V);
    return;
  }
  gmg_cycle_fmg(h, l + 1);
  gmg_fmg_start(h, l); /* u = P u_coarse */
  gmg_cycle(h, l, GMG_CYCLE_V);
}

void gmg_cycle_fmg_correct(struct gmg_hierarchy *h)
{
  gmg_fmg_restrict_correction(h);
  if (gmg_refines(h)) {
    gmg_cycle_fmg(h, 0);
    return;
  }
  gmg_cycle_fmg(h, 1);
  gmg_fmg_add(h); /* u += P u_coarse */
  gmg_cycle(h, 0, GMG_CYCLE_V);
}

void gmg_cycle_precondition(struct gmg_hierarchy *h, double size)
{
  if (gmg_refines(h)) {
    gmg_precision_scale(h, size);
    gmg_precision_take_f(h);
  }
  gmg_cycle_from_zero(h, 0, h->cycle);
  if (gmg_refines(h))
    gmg_precision_give_u(h);
  gmg_singular_level_u(h);
}
