#include "iterate.h"

#include "cycle.h"
#include "fmg.h"
#include "krylov.h"
#include "refine.h"
#include "smooth.h"
#include "transfer.h"

#include <math.h>
#include <stdio.h>

/* Mixed precision: what a cycle is expected to take off before any was seen, at most; where it takes off less the true
 * residual is asked; and how far below the true residual cycles in single precision go on their own. */
#define FIRST_FACTOR 0.1
#define SLOW_FACTOR 0.5
#define SINGLE_DEPTH 1e-3

double gmg_norm_of_residual(struct gmg_solver *s)
{
  double most;
  const double sum = gmg_reduce(s->krylov.on ? &s->krylov.norm : &s->norm, &most);
  return s->options.norm == GMG_NORM_MAX ? most : sqrt(sum);
}

/* Conjugate gradients from here on, if the options say so or `auto` finds that they pay. */
static void choose_krylov(struct gmg_solver *s, int cycle)
{
  const double *history = s->residual_history;
  if (!s->krylov.on && (s->options.krylov == GMG_KRYLOV_CG || s->options.krylov == GMG_KRYLOV_BICGSTAB)) {
    gmg_krylov_begin(s);
  } else if (!s->krylov.on && gmg_krylov_pays(s, history, cycle)) {
    gmg_krylov_begin(s);
    if (s->fallbacks < GMG_FALLBACKS) {
      s->krylov.noted = 1;
      char *note = s->fallback[s->fallbacks++];
      if (cycle > 0)
        snprintf(note, sizeof s->fallback[0],
                 "krylov auto: conjugate gradients after cycle %d, which changed the residual norm by a factor %.2f",
                 cycle, history[cycle] / history[cycle - 1]);
      else
        snprintf(
          note, sizeof s->fallback[0],
          "krylov auto: conjugate gradients from the start; beta on two faces of a cell differs by a factor %.2g",
          s->jump);
    }
  }
}

/* A cycle that stands by itself, without a Krylov method. It ends with the next one's way down, which thus shares a pass
 * over memory with its way up, and the residual's norm is that of u behind both. */
static double run_cycle(struct gmg_solver *s, struct gmg_progress *p)
{
  if (s->levels == 1) {
    gmg_cycle(s, 0, s->cycle);
    return gmg_norm_of_residual(s);
  }
  if (!p->started)
    gmg_cycle_down(s, 0);
  gmg_cycle_up(s, 0, s->cycle);
  gmg_cycle_down(s, 0);
  p->started = 1;
  return gmg_norm_of_residual(s);
}

/* u takes what the cycles in single precision found, and they begin anew. Returns the true norm. */
static double refine(struct gmg_solver *s, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine(s, size);
  p->started = s->levels > 1;
  p->pending = p->estimated = 0;
  return p->anchor;
}

/* Cycles in single precision start from u. Returns the true norm. */
static double begin_single(struct gmg_solver *s, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine_begin(s, size);
  p->refining = 1;
  p->started = 0;
  p->factor = FIRST_FACTOR;
  return p->anchor;
}

/* The same in single precision. Where single precision has done what it can, or the tolerance is near, the true residual takes
 * the place of its own between the sweeps and the restriction: the iteration is that of double precision. */
static double run_single_cycle(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  if (!p->refining)
    begin_single(s, p, norm);
  const double expected = norm * p->factor;
  const int last = cycle + 1 == s->options.max_cycles || s->levels == 1 || expected <= p->tolerance
    || expected <= SINGLE_DEPTH * p->anchor;
  if (!p->started && s->levels > 1)
    gmg_cycle_down(s, 0);
  if (s->levels > 1) {
    gmg_cycle_up(s, 0, s->cycle);
    gmg_smooth(s, 0, s->options.pre);
  } else {
    gmg_cycle(s, 0, s->cycle);
  }
  double next;
  p->pending = 1;
  if (last) {
    next = refine(s, p, expected);
  } else {
    gmg_restrict_residual(s, 0);
    p->started = p->estimated = 1;
    next = gmg_refine_estimate(s);
    if (next <= p->tolerance || next > SLOW_FACTOR * norm)
      next = isfinite(next) ? refine(s, p, next) : next;
  }
  p->factor = fmin(next / norm, SLOW_FACTOR);
  return next;
}

double gmg_iterate(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  const int starts = s->full && !p->guess; /* a guess is a start */
  if (cycle < starts) {
    if (gmg_refines(s))
      gmg_refine_source(s);
    gmg_cycle_fmg(s, 0);
    if (!gmg_refines(s))
      return gmg_norm_of_residual(s);
    gmg_refine_start(s);
    return begin_single(s, p, norm);
  }
  if (p->pending && gmg_krylov_pays(s, s->residual_history, cycle))
    norm = refine(s, p, norm);
  choose_krylov(s, cycle);
  if (s->krylov.on) {
    gmg_krylov_step(s, norm);
    return gmg_norm_of_residual(s);
  }
  return gmg_refines(s) ? run_single_cycle(s, p, cycle, norm) : run_cycle(s, p);
}

void gmg_iterate_end(struct gmg_solver *s, struct gmg_progress *p, double norm)
{
  if (p->pending)
    refine(s, p, norm);
}
