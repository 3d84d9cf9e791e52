#include "bicgstab.h"

#include "runtime/bind.h"
#include "precondition.h"

#include <math.h>

/* An inner product below this share of what it is made of is rounding: a breakdown. */
#define VANISHING 1e-12

gmg_status gmg_bicgstab_bind(struct gmg_solver *s)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  struct gmg_level *finest = s->finest;
  const struct gmg_kernel_descriptor *copy = gmg_written_kernel(s, "copy"),
                                     *axpy = gmg_written_kernel(s, "axpy"),
                                     *dot = gmg_written_kernel(s, "dot");
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[4];
    struct gmg_call **call;
  } list[] = {
    {gmg_operator_kernel(s, GMG_RESIDUAL),
     {{"u", "krylov_x"}, {"f", "krylov_b"}, {"r", "krylov_r"}, {NULL, NULL}},
     &m->residual},
    {copy, {{"y", "krylov_shadow"}, {"x", "krylov_r"}, {NULL, NULL}}, &m->shadow_from_r},
    {copy, {{"y", "krylov_p"}, {"x", "krylov_r"}, {NULL, NULL}}, &m->p_from_r},
    {copy, {{"y", "f"}, {"x", "krylov_p"}, {NULL, NULL}}, &m->f_from_p},
    {copy, {{"y", "f"}, {"x", "krylov_r"}, {NULL, NULL}}, &m->f_from_r},
    {gmg_operator_kernel(s, GMG_APPLY), {{"w", "krylov_q"}, {NULL, NULL}}, &m->apply_p},
    {gmg_operator_kernel(s, GMG_APPLY), {{"w", "f"}, {NULL, NULL}}, &m->apply_s},
    {axpy, {{"y", "krylov_p"}, {"x", "krylov_q"}, {NULL, NULL}}, &m->p_minus_v},
    {gmg_written_kernel(s, "xpay"),
     {{"y", "krylov_p"}, {"x", "krylov_r"}, {NULL, NULL}},
     &m->p_plus_r},
    {axpy, {{"y", "krylov_x"}, {"x", "u"}, {NULL, NULL}}, &m->x_plus_u},
    {axpy, {{"y", "krylov_r"}, {"x", "krylov_q"}, {NULL, NULL}}, &m->r_minus_v},
    {dot, {{"x", "krylov_shadow"}, {"y", "krylov_r"}, {NULL, NULL}}, &m->rho.sum},
    {dot, {{"x", "krylov_r"}, {"y", "krylov_r"}, {NULL, NULL}}, &m->rr.sum},
    {dot, {{"x", "krylov_shadow"}, {"y", "krylov_q"}, {NULL, NULL}}, &m->sigma.sum},
    {dot, {{"x", "f"}, {"y", "krylov_r"}, {NULL, NULL}}, &m->ts.sum},
    {dot, {{"x", "f"}, {"y", "f"}, {NULL, NULL}}, &m->tt.sum},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, finest, NULL, list[n].rename, list[n].call);
  return status;
}

void gmg_bicgstab_begin(struct gmg_solver *s)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  struct gmg_reducer *const reducers[] = {&m->rho, &m->rr, &m->sigma, &m->ts, &m->tt};
  for (size_t n = 0; n < sizeof reducers / sizeof *reducers; n++)
    gmg_reducer_forget(reducers[n]);
  m->steps = 0;
}

static void run_scaled(struct gmg_call *call, double scale)
{
  gmg_call_set(call, GMG_SCALAR_S, scale);
  gmg_call_run(call);
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
  run_scaled(m->p_minus_v, -m->omega);
  run_scaled(m->p_plus_r, beta);
  m->product = next;
  return 1;
}

/* Returns what broke down, or NULL. */
static const char *iterate(struct gmg_solver *s, double size)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  if (!choose_direction(m))
    return "the residual became orthogonal to the one at the start (rho = 0)";
  gmg_call_run(m->f_from_p);
  gmg_precondition(s, size);
  gmg_call_run(m->apply_p);
  const double sigma = gmg_reduce(&m->sigma, NULL);
  m->alpha = m->product / sigma;
  if (!(fabs(sigma) > VANISHING * fabs(m->product)) || !isfinite(m->alpha))
    return "A times the cycle's correction is orthogonal to the residual at the start (sigma = 0)";
  run_scaled(m->x_plus_u, m->alpha);
  run_scaled(m->r_minus_v, -m->alpha);
  gmg_call_run(m->f_from_r);
  gmg_precondition(s, size);
  gmg_call_run(m->apply_s);
  const double tt = gmg_reduce(&m->tt, NULL);
  m->omega = tt > 0 ? gmg_reduce(&m->ts, NULL) / tt : 0;
  if (!(fabs(m->omega) > VANISHING) || !isfinite(m->omega))
    return "A times the cycle's second correction is orthogonal to the residual (omega = 0)";
  run_scaled(m->x_plus_u, m->omega);
  return NULL;
}

void gmg_bicgstab_step(struct gmg_solver *s, double size)
{
  struct gmg_bicgstab *m = &s->krylov.bicgstab;
  gmg_call_run(m->residual);
  const char *what = iterate(s, size);
  if (what && m->steps == 0)
    s->krylov.breakdown = what;
  m->steps = what ? 0 : m->steps + 1;
}
