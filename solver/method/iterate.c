#include "iterate.h"

#include "cycle/cycle.h"
#include "fourier/fourier.h"
#include "krylov.h"
#include "cycle/precision.h"
#include "refine.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

#include <math.h>

/* Where a cycle in single precision leaves more of the norm, the true residual is asked. */
#define SLOW_FACTOR 0.5
/* How far below the true residual cycles in single precision go on their own. */
#define SINGLE_DEPTH 1e-3

double gmg_residual_norm(gmg_solver *s)
{
  return s->krylov.on ? gmg_krylov_norm(s) : gmg_refine_norm(&s->hierarchy, &s->hierarchy.norm);
}

/* Conjugate gradients from here on, if the options say so or `auto` finds that they pay (pays). */
static void choose_krylov(gmg_solver *s, const struct gmg_progress *p, int cycle, int pays)
{
  const double *history = s->report.residual_history;
  const int at_once = s->problem.options.krylov == GMG_KRYLOV_CG
    || s->problem.options.krylov == GMG_KRYLOV_BICGSTAB
    || (s->problem.options.krylov == GMG_KRYLOV_AUTO && s->hierarchy.owners);
  if (s->krylov.on || !(pays || at_once))
    return;
  gmg_krylov_begin(s, p->phase == GMG_AT_RESIDUAL || p->phase == GMG_DOWN_FROM_RESIDUAL);
  if (!pays || s->report.fallbacks == GMG_FALLBACKS)
    return;
  s->krylov.noted++;
  gmg_report_fallback(&s->report,
                      "krylov auto: conjugate gradients after cycle %d, which changed the residual "
                      "norm by a factor %.2f",
                      cycle, history[cycle] / history[cycle - 1]);
}

/* A cycle that stands by itself, without a Krylov method. It ends with the next one's way down,
 * which thus shares a pass over memory with its way up, and the residual's norm is that of u after
 * both. */
static double run_cycle(gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (h->levels == 1) {
    gmg_cycle(h, 0, h->cycle);
    return gmg_residual_norm(s);
  }
  /* The norm that ends the solve, or that has stagnated, is that of all cells. */
  const int whole = cycle + 1 == s->problem.options.max_cycles || norm * p->factor <= p->tolerance
    || p->factor >= SLOW_FACTOR;
  if (p->phase == GMG_AT_U)
    gmg_cycle_down(h, 0, NULL, 0);
  gmg_cycle_up(h, 0, h->cycle);
  gmg_cycle_down(h, 0, &h->norm, whole);
  p->phase = GMG_DOWN_FROM_U;
  double next = gmg_residual_norm(s);
  if (!whole && h->level[0].active_colour && !(next > p->tolerance && next <= SLOW_FACTOR * norm))
    next = gmg_residual_norm(s);
  p->factor = fmin(next / norm, SLOW_FACTOR);
  return next;
}

double gmg_iterate_refined(struct gmg_hierarchy *h, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine(h, size);
  p->phase = h->levels > 1 ? GMG_DOWN_FROM_RESIDUAL : GMG_AT_RESIDUAL;
  return p->anchor;
}

double gmg_iterate_single(struct gmg_hierarchy *h, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine_begin(h, size);
  p->phase = GMG_AT_RESIDUAL;
  p->factor = GMG_FIRST_FACTOR;
  return p->anchor;
}

/* A cycle in single precision. Where that has done what it can, or the tolerance is near, the true
 * residual takes the place of its own between the sweeps and the restriction, as in double. */
static double run_single_cycle(struct gmg_hierarchy *h, struct gmg_progress *p, int cycle,
                               double norm)
{
  if (p->phase == GMG_AT_U)
    gmg_iterate_single(h, p, norm);
  const double expected = norm * p->factor;
  const int last = cycle + 1 == h->problem->options.max_cycles || h->levels == 1
    || expected <= p->tolerance || expected <= SINGLE_DEPTH * p->anchor;
  if (h->levels > 1) {
    if (p->phase == GMG_AT_RESIDUAL)
      gmg_cycle_down(h, 0, NULL, 0);
    gmg_cycle_up(h, 0, h->cycle);
    gmg_smooth_before(h, 0);
  } else {
    gmg_cycle(h, 0, h->cycle);
  }
  double next;
  if (last) {
    next = gmg_iterate_refined(h, p, expected);
  } else {
    gmg_restrict_residual(h, 0, &h->level[0].norm, 0);
    p->phase = GMG_AHEAD_OF_U;
    next = gmg_refine_estimate(h);
    if (next <= p->tolerance || next > SLOW_FACTOR * norm)
      next = isfinite(next) ? gmg_iterate_refined(h, p, next) : next;
  }
  p->factor = fmin(next / norm, SLOW_FACTOR);
  return next;
}

int gmg_iterate_starts_full(const struct gmg_hierarchy *h, const struct gmg_progress *p)
{
  return h->full && (!p->guess || h->levels > 1);
}

/* The start by full multigrid: of the solution, or where there is a guess of what it lacks. Returns
 * the norm. */
static double start_full(gmg_solver *s, struct gmg_progress *p, double norm)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (p->guess) {
    if (gmg_refines(h) && p->phase == GMG_AT_U)
      gmg_iterate_single(h, p, norm);
    gmg_cycle_fmg_correct(h);
  } else {
    if (gmg_refines(h) && !h->refinement.f_taken)
      gmg_precision_take_f(h);
    gmg_cycle_fmg(h, 0);
  }
  if (!gmg_refines(h))
    return gmg_residual_norm(s);
  if (p->guess)
    gmg_refine_add(h);
  else
    gmg_precision_give_u(h);
  return gmg_iterate_single(h, p, norm);
}

double gmg_iterate(gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (s->fourier) {
    gmg_fourier_solve(s, cycle == 0 && !p->guess);
    return gmg_residual_norm(s);
  }
  if (cycle == 0 && gmg_iterate_starts_full(h, p))
    return start_full(s, p, norm);
  const int starts = gmg_iterate_starts_full(h, p),
            pays = !s->krylov.on
    && gmg_krylov_pays(s, s->report.residual_history + starts, cycle - starts, p->tolerance);
  if (pays && p->phase == GMG_AHEAD_OF_U)
    norm = gmg_iterate_refined(h, p, norm);
  choose_krylov(s, p, cycle, pays);
  if (s->krylov.on) {
    gmg_krylov_step(s, norm);
    return gmg_residual_norm(s);
  }
  return gmg_refines(h) ? run_single_cycle(h, p, cycle, norm) : run_cycle(s, p, cycle, norm);
}
