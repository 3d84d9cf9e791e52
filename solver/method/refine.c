#include "refine.h"
#include "problem/kernels.h"

#include "cycle/precision.h"
#include "cycle/transfer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void gmg_refine_forget(struct gmg_solver *s)
{
  gmg_reducer_forget(&s->hierarchy.norm);
  gmg_reducer_forget(&s->hierarchy.level[0].norm);
  gmg_reducer_forget(&s->hierarchy.refinement.residual);
}

double gmg_refine_norm(struct gmg_solver *s, struct gmg_reducer *reducer)
{
  double most;
  const double sum = gmg_reduce(reducer, &most);
  return s->problem.options.norm == GMG_NORM_MAX ? most : sqrt(sum);
}

/* r' and the true norm, z' = 0, and the way down from there: in one pass over memory, and with what
 * ran before. */
static double start(struct gmg_solver *s, double size, int down)
{
  struct gmg_refinement *r = &s->hierarchy.refinement;
  gmg_precision_scale(&s->hierarchy, size);
  gmg_call_set(r->residual.sum, "s", r->residual_scale);
  if (s->hierarchy.norm.known && !r->residual.known) { /* terms are no larger than they were */
    r->residual.known = 1;
    r->residual.exponent = s->hierarchy.norm.exponent;
  }
  gmg_reduce_begin(&r->residual, r->residual.sum);
  gmg_set_zero(&s->hierarchy, 0);
  if (down)
    gmg_restrict_right_side(&s->hierarchy, 0);
  const double norm = gmg_refine_norm(s, &r->residual);
  /* The cycles' norm starts as that of the scaled residual, in their unit. */
  s->hierarchy.level[0].norm.exponent =
    r->residual.exponent + 2 * ilogb(r->residual_scale * r->unit * r->unit * r->unit);
  s->hierarchy.level[0].norm.known = 1;
  return norm;
}

double gmg_refine_begin(struct gmg_solver *s, double size)
{
  return start(s, size, 0);
}

void gmg_refine_add(struct gmg_solver *s)
{
  struct gmg_refinement *r = &s->hierarchy.refinement;
  gmg_run_scaled(r->add, r->scale / r->residual_scale);
}

double gmg_refine(struct gmg_solver *s, double size)
{
  gmg_refine_add(s);
  return start(s, size, s->hierarchy.levels > 1);
}

double gmg_refine_estimate(struct gmg_solver *s)
{
  const double unit = s->hierarchy.refinement.unit; /* norms are per unit volume */
  return gmg_refine_norm(s, &s->hierarchy.level[0].norm)
    / (s->hierarchy.refinement.residual_scale * unit * unit * unit);
}

void gmg_refine_note(struct gmg_solver *s, const char *why)
{
  if (s->report.fallbacks == GMG_FALLBACKS)
    return;
  /* Before what the next solve takes back. */
  const int at = s->report.fallbacks - s->krylov.noted;
  memmove(s->report.fallback[at + 1], s->report.fallback[at],
          (size_t)s->krylov.noted * sizeof s->report.fallback[0]);
  snprintf(s->report.fallback[at], sizeof s->report.fallback[0],
           "precision %s: cycles in double %s",
           s->problem.options.precision == GMG_PRECISION_AUTO ? "auto" : "mixed", why);
  s->report.fallbacks++;
}
