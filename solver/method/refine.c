#include "refine.h"
#include "problem/kernels.h"

#include "cycle/precision.h"
#include "cycle/transfer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void gmg_refine_forget(struct gmg_hierarchy *h)
{
  gmg_reducer_forget(&h->norm);
  gmg_reducer_forget(&h->level[0].norm);
  gmg_reducer_forget(&h->refinement.residual);
}

double gmg_refine_norm(struct gmg_hierarchy *h, struct gmg_reducer *reducer)
{
  double most;
  const double sum = gmg_reduce(reducer, &most);
  return h->problem->options.norm == GMG_NORM_MAX ? most : sqrt(sum);
}

/* Runs r' at a scale that fits; the norm of r comes later. */
static void run_residual(struct gmg_hierarchy *h, double size)
{
  struct gmg_refinement *r = &h->refinement;
  gmg_precision_scale(h, size);
  gmg_call_set(r->residual.sum, GMG_SCALAR_S, r->residual_scale);
  if (h->norm.known && !r->residual.known) { /* terms are no larger than they were */
    r->residual.known = 1;
    r->residual.exponent = h->norm.exponent;
  }
  gmg_reduce_begin(&r->residual, r->residual.sum);
}

double gmg_refine_residual(struct gmg_hierarchy *h, double size)
{
  run_residual(h, size);
  return gmg_refine_norm(h, &h->refinement.residual);
}

/* r' and the true norm, z' = 0, and the way down from there: in one pass over memory, and with what
 * ran before. */
static double start(struct gmg_hierarchy *h, double size, int down)
{
  struct gmg_refinement *r = &h->refinement;
  run_residual(h, size);
  gmg_set_zero(h, 0);
  if (down)
    gmg_restrict_right_side(h, 0);
  const double norm = gmg_refine_norm(h, &r->residual);
  /* The cycles' norm starts as that of the scaled residual, in their unit. */
  h->level[0].norm.exponent =
    r->residual.exponent + 2 * ilogb(r->residual_scale * r->unit * r->unit * r->unit);
  h->level[0].norm.known = 1;
  return norm;
}

double gmg_refine_begin(struct gmg_hierarchy *h, double size)
{
  return start(h, size, 0);
}

void gmg_refine_add(struct gmg_hierarchy *h)
{
  struct gmg_refinement *r = &h->refinement;
  gmg_run_scaled(r->add, r->scale / r->residual_scale);
}

double gmg_refine(struct gmg_hierarchy *h, double size)
{
  gmg_refine_add(h);
  return start(h, size, h->levels > 1);
}

double gmg_refine_estimate(struct gmg_hierarchy *h)
{
  const double unit = h->refinement.unit; /* norms are per unit volume */
  return gmg_refine_norm(h, &h->level[0].norm)
    / (h->refinement.residual_scale * unit * unit * unit);
}

void gmg_refine_note(gmg_solver *s, const char *why)
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
