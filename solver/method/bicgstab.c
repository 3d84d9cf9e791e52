#include "bicgstab.h"

#include "problem/kernels.h"
#include "cycle/cycle.h"

#include <math.h>

/* An inner product below this share of what it is made of is rounding: a breakdown. */
#define VANISHING 1e-12

gmg_status gmg_bicgstab_bind(gmg_solver *s)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  const struct gmg_binding list[] = {
    {&s->krylov.norm.sum, "residual_norm", {{"u", "krylov_x"}, {"f", "krylov_b"}}},
    {&m->residual, "residual", {{"u", "krylov_x"}, {"f", "krylov_b"}, {"r", "krylov_r"}}},
    {&m->shadow_from_r, "copy", {{"y", "krylov_shadow"}, {"x", "krylov_r"}}},
    {&m->p_from_r, "copy", {{"y", "krylov_p"}, {"x", "krylov_r"}}},
    {&m->f_from_p, "copy", {{"y", "f"}, {"x", "krylov_p"}}},
    {&m->f_from_r, "copy", {{"y", "f"}, {"x", "krylov_r"}}},
    {&m->apply_p, "apply", {{"w", "krylov_q"}}},
    {&m->apply_s, "apply", {{"w", "f"}}},
    {&m->p_minus_v, "axpy", {{"y", "krylov_p"}, {"x", "krylov_q"}}},
    {&m->p_plus_r, "xpay", {{"y", "krylov_p"}, {"x", "krylov_r"}}},
    {&m->x_plus_u, "axpy", {{"y", "krylov_x"}, {"x", "u"}}},
    {&m->r_minus_v, "axpy", {{"y", "krylov_r"}, {"x", "krylov_q"}}},
    {&m->rho.sum, "dot", {{"x", "krylov_shadow"}, {"y", "krylov_r"}}},
    {&m->rr.sum, "dot", {{"x", "krylov_r"}, {"y", "krylov_r"}}},
    {&m->sigma.sum, "dot", {{"x", "krylov_shadow"}, {"y", "krylov_q"}}},
    {&m->ts.sum, "dot", {{"x", "f"}, {"y", "krylov_r"}}},
    {&m->tt.sum, "dot", {{"x", "f"}, {"y", "f"}}},
  };
  return gmg_bind_all(&s->problem, s->hierarchy.finest, list, GMG_LENGTH(list));
}

void gmg_bicgstab_begin(gmg_solver *s)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  struct gmg_reducer *const reducers[] = {&m->rho, &m->rr, &m->sigma, &m->ts, &m->tt};
  for (size_t n = 0; n < GMG_LENGTH(reducers); n++)
    gmg_reducer_forget(reducers[n]);
  m->steps = 0;
}

/* The direction: r itself at a start. Returns 0 where r is orthogonal to the shadow residual. */
static int choose_direction(struct gmg_bicgstab *m)
{
  const double rr = gmg_reduce(&m->rr, NULL);
  if (m->steps == 0) {
    gmg_call_run(m->shadow_from_r);
    gmg_call_run(m->p_from_r);
    m->shadow = rr;
    m->product = rr;
    return 1;
  }
  const double next = gmg_reduce(&m->rho, NULL), beta = next / m->product * (m->alpha / m->omega);
  if (!(fabs(next) > VANISHING * sqrt(rr) * sqrt(m->shadow)) || !isfinite(beta))
    return 0;
  gmg_run_scaled(m->p_minus_v, -m->omega);
  gmg_run_scaled(m->p_plus_r, beta);
  m->product = next;
  return 1;
}

/* Returns what broke down, or NULL. */
static const char *iterate(gmg_solver *s, double size)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  if (!choose_direction(m))
    return "the residual became orthogonal to the one at the start (rho = 0)";
  gmg_call_run(m->f_from_p);
  gmg_cycle_precondition(&s->hierarchy, size);
  gmg_call_run(m->apply_p);
  const double sigma = gmg_reduce(&m->sigma, NULL);
  m->alpha = m->product / sigma;
  if (!(fabs(sigma) > VANISHING * fabs(m->product)) || !isfinite(m->alpha))
    return "A times the cycle's correction is orthogonal to the residual at the start (sigma = 0)";
  gmg_run_scaled(m->x_plus_u, m->alpha);
  gmg_run_scaled(m->r_minus_v, -m->alpha);
  gmg_call_run(m->f_from_r);
  gmg_cycle_precondition(&s->hierarchy, size);
  gmg_call_run(m->apply_s);
  const double tt = gmg_reduce(&m->tt, NULL);
  m->omega = tt > 0 ? gmg_reduce(&m->ts, NULL) / tt : 0;
  if (!(fabs(m->omega) > VANISHING) || !isfinite(m->omega))
    return "A times the cycle's second correction is orthogonal to the residual (omega = 0)";
  gmg_run_scaled(m->x_plus_u, m->omega);
  return NULL;
}

void gmg_bicgstab_step(gmg_solver *s, double size)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  gmg_call_run(m->residual);
  const char *what = iterate(s, size);
  if (what && m->steps == 0)
    s->krylov.breakdown = what;
  m->steps = what ? 0 : m->steps + 1;
}
