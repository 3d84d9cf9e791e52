#include "bottom_krylov.h"
#include "problem/kernels.h"

#include <math.h>

enum { MOST_ITERATIONS = 100 };
#define REDUCTION 1e-3 /* of the residual norm */

/* Names: r = r, p = work_6, q = A p = work_2, z = work_4. */
gmg_status gmg_bottom_bind_cg(struct gmg_hierarchy *h)
{
  struct gmg_bottom_calls *b = &h->bottom;
  const struct gmg_binding list[] = {
    {&b->residual, "residual", {{NULL, NULL}}},
    {&b->apply_p, "apply", {{"u", "work_6"}, {"w", "work_2"}}},
    {&b->precondition_s, "multiply", {{"y", "work_4"}, {"x", "r"}, {"z", "dinv"}}},
    {&b->p_plus_r, "xpay", {{"y", "work_6"}, {"x", "work_4"}}},
    {&b->u_plus_p, "axpy", {{"y", "u"}, {"x", "work_6"}}},
    {&b->r_minus_v, "axpy", {{"y", "r"}, {"x", "work_2"}}},
    {&b->shift_v, "add_constant", {{"y", "work_2"}}},
    {&b->rho.sum, "dot", {{"x", "r"}, {"y", "work_4"}}},
    {&b->sigma.sum, "dot", {{"x", "work_6"}, {"y", "work_2"}}},
    {&b->rr.sum, "dot", {{"x", "r"}, {"y", "r"}}},
    {&b->mean.sum, "sum", {{"x", "work_6"}}},
  };
  return gmg_bind_all(h->problem, gmg_coarsest(h), list, GMG_LENGTH(list));
}

/* Names: r = r, r̂ = work_5, p = work_6, v = work_2, t = work_3, p̂ and ŝ = work_4, s takes r's
 * place. */
gmg_status gmg_bottom_bind_bicgstab(struct gmg_hierarchy *h)
{
  struct gmg_bottom_calls *b = &h->bottom;
  const struct gmg_binding list[] = {
    {&b->residual, "residual", {{NULL, NULL}}},
    {&b->copy, "copy", {{"y", "work_5"}, {"x", "r"}}},
    {&b->apply_p, "apply", {{"u", "work_4"}, {"w", "work_2"}}},
    {&b->apply_s, "apply", {{"u", "work_4"}, {"w", "work_3"}}},
    {&b->precondition_p, "multiply", {{"y", "work_4"}, {"x", "work_6"}, {"z", "dinv"}}},
    {&b->precondition_s, "multiply", {{"y", "work_4"}, {"x", "r"}, {"z", "dinv"}}},
    {&b->p_minus_v, "axpy", {{"y", "work_6"}, {"x", "work_2"}}},
    {&b->p_plus_r, "xpay", {{"y", "work_6"}, {"x", "r"}}},
    {&b->u_plus_p, "axpy", {{"y", "u"}, {"x", "work_4"}}},
    {&b->r_minus_v, "axpy", {{"y", "r"}, {"x", "work_2"}}},
    {&b->r_minus_t, "axpy", {{"y", "r"}, {"x", "work_3"}}},
    {&b->shift_v, "add_constant", {{"y", "work_2"}}},
    {&b->shift_t, "add_constant", {{"y", "work_3"}}},
    {&b->rho.sum, "dot", {{"x", "work_5"}, {"y", "r"}}},
    {&b->sigma.sum, "dot", {{"x", "work_5"}, {"y", "work_2"}}},
    {&b->tt.sum, "dot", {{"x", "work_3"}, {"y", "work_3"}}},
    {&b->ts.sum, "dot", {{"x", "work_3"}, {"y", "r"}}},
    {&b->rr.sum, "dot", {{"x", "r"}, {"y", "r"}}},
    {&b->mean.sum, "sum", {{"x", "work_4"}}},
  };
  return gmg_bind_all(h->problem, gmg_coarsest(h), list, GMG_LENGTH(list));
}

/* v or t = A p̂; of a singular problem (A + c 1 1ᵀ) p̂, c about the mean diagonal / n. */
static void apply(struct gmg_hierarchy *h, struct gmg_call *product, struct gmg_call *shift)
{
  const struct gmg_level *level = gmg_coarsest(h);
  double largest = 0;
  gmg_call_run(product);
  if (!h->problem->singular)
    return;
  for (int d = 0; d < 3; d++)
    largest = fmax(largest, level->axis[d].width[0] / level->unit);
  gmg_run_scaled(shift,
                 gmg_reduce(&h->bottom.mean, NULL) * level->b * largest / (double)level->cells);
}

void gmg_bottom_cg(struct gmg_hierarchy *h)
{
  struct gmg_bottom_calls *b = &h->bottom;
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
    gmg_run_scaled(b->p_plus_r, n ? next / rho : 0);
    rho = next;
    apply(h, b->apply_p, b->shift_v);
    const double energy = gmg_reduce(&b->sigma, NULL);
    if (!(energy > 0) || !isfinite(energy))
      return;
    gmg_run_scaled(b->u_plus_p, rho / energy);
    gmg_run_scaled(b->r_minus_v, -rho / energy);
    if (gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
  }
}

void gmg_bottom_bicgstab(struct gmg_hierarchy *h)
{
  struct gmg_bottom_calls *b = &h->bottom;
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
    gmg_run_scaled(b->p_minus_v, n ? -omega : 0);
    gmg_run_scaled(b->p_plus_r, n ? next / rho * (alpha / omega) : 0);
    rho = next;
    gmg_call_run(b->precondition_p);
    apply(h, b->apply_p, b->shift_v);
    const double sigma = gmg_reduce(&b->sigma, NULL);
    if (sigma == 0 || !isfinite(sigma))
      return;
    alpha = rho / sigma;
    gmg_run_scaled(b->u_plus_p, alpha);
    gmg_run_scaled(b->r_minus_v, -alpha);
    if (gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
    gmg_call_run(b->precondition_s);
    apply(h, b->apply_s, b->shift_t);
    const double tt = gmg_reduce(&b->tt, NULL);
    if (!(tt > 0) || !isfinite(tt))
      return;
    omega = gmg_reduce(&b->ts, NULL) / tt;
    gmg_run_scaled(b->u_plus_p, omega);
    gmg_run_scaled(b->r_minus_t, -omega);
    if (omega == 0 || gmg_reduce(&b->rr, NULL) <= REDUCTION * REDUCTION * first)
      return;
  }
}
