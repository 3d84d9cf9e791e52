#include "bottom_krylov.h"
#include "runtime/bind.h"

#include <math.h>

enum { MOST_ITERATIONS = 100 };
#define REDUCTION 1e-3 /* of the residual norm */

static struct gmg_level *coarsest(struct gmg_solver *s)
{
  return s->level[s->levels - 1].level;
}

/* Names: r = r, p = work_6, q = A p = work_2, z = work_4. */
gmg_status gmg_bottom_bind_cg(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->bottom;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[4];
    struct gmg_call **call;
  } list[] = {
    {gmg_operator_kernel(s, GMG_RESIDUAL), {{NULL, NULL}}, &b->residual},
    {gmg_operator_kernel(s, GMG_APPLY),
     {{"u", "work_6"}, {"w", "work_2"}, {NULL, NULL}},
     &b->apply_p},
    {gmg_written_kernel(s, "multiply"),
     {{"y", "work_4"}, {"x", "r"}, {"z", "dinv"}, {NULL, NULL}},
     &b->precondition_s},
    {gmg_written_kernel(s, "xpay"), {{"y", "work_6"}, {"x", "work_4"}, {NULL, NULL}}, &b->p_plus_r},
    {gmg_written_kernel(s, "axpy"), {{"y", "u"}, {"x", "work_6"}, {NULL, NULL}}, &b->u_plus_p},
    {gmg_written_kernel(s, "axpy"), {{"y", "r"}, {"x", "work_2"}, {NULL, NULL}}, &b->r_minus_v},
    {gmg_written_kernel(s, "add_constant"), {{"y", "work_2"}, {NULL, NULL}}, &b->shift_v},
    {gmg_written_kernel(s, "dot"), {{"x", "r"}, {"y", "work_4"}, {NULL, NULL}}, &b->rho.sum},
    {gmg_written_kernel(s, "dot"), {{"x", "work_6"}, {"y", "work_2"}, {NULL, NULL}}, &b->sigma.sum},
    {gmg_written_kernel(s, "dot"), {{"x", "r"}, {"y", "r"}, {NULL, NULL}}, &b->rr.sum},
    {gmg_written_kernel(s, "sum"), {{"x", "work_6"}, {NULL, NULL}}, &b->mean.sum},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, coarsest(s), NULL, list[n].rename, list[n].call);
  return status;
}

static gmg_status bind_reducer(struct gmg_solver *s, const char *name, const char *x, const char *y,
                               struct gmg_reducer *reducer)
{
  const struct gmg_rename rename[] = {{"x", x}, {"y", y}, {NULL, NULL}};
  return gmg_call_keep(gmg_written_kernel(s, name), coarsest(s), NULL, rename, &reducer->sum);
}

/* Names: r = r, r̂ = work_5, p = work_6, v = work_2, t = work_3, p̂ and ŝ = work_4, s takes r's
 * place. */
gmg_status gmg_bottom_bind_bicgstab(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->bottom;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[4];
    struct gmg_call **call;
  } list[] = {
    {gmg_operator_kernel(s, GMG_RESIDUAL), {{NULL, NULL}}, &b->residual},
    {gmg_written_kernel(s, "copy"), {{"y", "work_5"}, {"x", "r"}, {NULL, NULL}}, &b->copy},
    {gmg_operator_kernel(s, GMG_APPLY),
     {{"u", "work_4"}, {"w", "work_2"}, {NULL, NULL}},
     &b->apply_p},
    {gmg_operator_kernel(s, GMG_APPLY),
     {{"u", "work_4"}, {"w", "work_3"}, {NULL, NULL}},
     &b->apply_s},
    {gmg_written_kernel(s, "multiply"),
     {{"y", "work_4"}, {"x", "work_6"}, {"z", "dinv"}, {NULL, NULL}},
     &b->precondition_p},
    {gmg_written_kernel(s, "multiply"),
     {{"y", "work_4"}, {"x", "r"}, {"z", "dinv"}, {NULL, NULL}},
     &b->precondition_s},
    {gmg_written_kernel(s, "axpy"),
     {{"y", "work_6"}, {"x", "work_2"}, {NULL, NULL}},
     &b->p_minus_v},
    {gmg_written_kernel(s, "xpay"), {{"y", "work_6"}, {"x", "r"}, {NULL, NULL}}, &b->p_plus_r},
    {gmg_written_kernel(s, "axpy"), {{"y", "u"}, {"x", "work_4"}, {NULL, NULL}}, &b->u_plus_p},
    {gmg_written_kernel(s, "axpy"), {{"y", "r"}, {"x", "work_2"}, {NULL, NULL}}, &b->r_minus_v},
    {gmg_written_kernel(s, "axpy"), {{"y", "r"}, {"x", "work_3"}, {NULL, NULL}}, &b->r_minus_t},
    {gmg_written_kernel(s, "add_constant"), {{"y", "work_2"}, {NULL, NULL}}, &b->shift_v},
    {gmg_written_kernel(s, "add_constant"), {{"y", "work_3"}, {NULL, NULL}}, &b->shift_t},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, coarsest(s), NULL, list[n].rename, list[n].call);
  const struct {
    const char *x, *y;
    struct gmg_reducer *reducer;
  } dots[] = {{"work_5", "r", &b->rho},
              {"work_5", "work_2", &b->sigma},
              {"work_3", "work_3", &b->tt},
              {"work_3", "r", &b->ts},
              {"r", "r", &b->rr}};
  for (size_t n = 0; n < sizeof dots / sizeof *dots && !status; n++)
    status = bind_reducer(s, "dot", dots[n].x, dots[n].y, dots[n].reducer);
  return status ? status : bind_reducer(s, "sum", "work_4", "work_4", &b->mean);
}

void gmg_bottom_forget(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->bottom;
  struct gmg_reducer *const reducers[] = {&b->rho, &b->sigma, &b->tt, &b->ts, &b->rr, &b->mean};
  for (size_t n = 0; n < sizeof reducers / sizeof *reducers; n++)
    gmg_reducer_forget(reducers[n]);
}

static void run_scaled(struct gmg_call *call, double scale)
{
  gmg_call_set(call, GMG_SCALAR_S, scale);
  gmg_call_run(call);
}

/* v or t = A p̂; of a singular problem (A + c 1 1ᵀ) p̂, which is regular, c the mean diagonal / n up
 * to a factor. */
static void apply(struct gmg_solver *s, struct gmg_call *product, struct gmg_call *shift)
{
  gmg_call_run(product);
  if (s->singular) {
    double n = (double)coarsest(s)->cells, largest_width = 0;
    for (int d = 0; d < 3; d++)
      largest_width = fmax(largest_width, s->axis[s->levels - 1][d].width[0] / coarsest(s)->unit);
    run_scaled(shift, gmg_reduce(&s->bottom.mean, NULL) * coarsest(s)->b * largest_width / n);
  }
}

void gmg_bottom_cg(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->bottom;
  gmg_call_run(b->residual);
  const double first = gmg_reduce(&b->rr, NULL);
  double rho = 1;
  if (!(first > 0) || !isfinite(first))
    return;
  for (int n = 0; n < MOST_ITERATIONS; n++) {
    gmg_call_run(b->precondition_s);
    const double next = gmg_reduce(&b->rho, NULL);
    if (!(next > 0) || !isfinite(next))
      return;
    run_scaled(b->p_plus_r, n ? next / rho : 0);
    rho = next;
    apply(s, b->apply_p, b->shift_v);
    const double energy = gmg_reduce(&b->sigma, NULL);
    if (!(energy > 0) || !isfinite(energy))
      return;
    run_scaled(b->u_plus_p, rho / energy);
    run_scaled(b->r_minus_v, -rho / energy);
    if (gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
  }
}

void gmg_bottom_bicgstab(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->bottom;
  gmg_call_run(b->residual);
  gmg_call_run(b->copy);
  double rho = 1, alpha = 1, omega = 1;
  const double first = gmg_reduce(&b->rr, NULL);
  if (!(first > 0) || !isfinite(first))
    return;
  for (int n = 0; n < MOST_ITERATIONS; n++) {
    const double next = gmg_reduce(&b->rho, NULL);
    if (next == 0 || !isfinite(next))
      return;
    run_scaled(b->p_minus_v, n ? -omega : 0);
    run_scaled(b->p_plus_r, n ? next / rho * (alpha / omega) : 0);
    rho = next;
    gmg_call_run(b->precondition_p);
    apply(s, b->apply_p, b->shift_v);
    const double sigma = gmg_reduce(&b->sigma, NULL);
    if (sigma == 0 || !isfinite(sigma))
      return;
    alpha = rho / sigma;
    run_scaled(b->u_plus_p, alpha);
    run_scaled(b->r_minus_v, -alpha);
    if (gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
    gmg_call_run(b->precondition_s);
    apply(s, b->apply_s, b->shift_t);
    const double tt = gmg_reduce(&b->tt, NULL);
    if (!(tt > 0) || !isfinite(tt))
      return;
    omega = gmg_reduce(&b->ts, NULL) / tt;
    run_scaled(b->u_plus_p, omega);
    run_scaled(b->r_minus_t, -omega);
    if (omega == 0 || gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
  }
}
