#include "smooth.h"

#include <math.h>

/* Relaxation factors by measurement: over-relaxation helps red-black Gauss-Seidel, more so with few sweeps; not with more
 * colours; Jacobi wants damping. */
static double default_omega(const struct gmg_options *options, const struct gmg_operator_descriptor *op)
{
  if (options->smoother == GMG_SMOOTH_JACOBI)
    return 8.0 / 9.0;
  if (!op->parity)
    return 1.0;
  return options->pre + options->post <= 2 ? 1.2 : 1.15;
}

gmg_status gmg_smooth_bind(struct gmg_solver *s, int l)
{
  static const enum gmg_kernel_role roles[] = {GMG_GAUSS_SEIDEL, GMG_JACOBI, GMG_CHEBYSHEV};
  static const struct gmg_rename swapped[] = {{"u", "w"}, {"w", "u"}, {NULL, NULL}};
  static const struct gmg_rename from_w[] = {{"y", "u"}, {"x", "w"}, {NULL, NULL}};
  struct gmg_cycle_level *level = &s->level[l];
  s->omega = s->options.omega != GMG_OPTION_AUTO ? s->options.omega : default_omega(&s->options, s->op);
  const struct gmg_kernel_descriptor *kernel = gmg_operator_kernel(s, roles[s->options.smoother]);
  if (!kernel)
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has no such smoother", s->op->name);
  gmg_status status = gmg_call_keep(kernel, level->level, NULL, NULL, &level->smooth[0]);
  if (status || s->options.smoother == GMG_SMOOTH_GSRB)
    return status;
  status = gmg_call_keep(kernel, level->level, NULL, swapped, &level->smooth[1]);
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(s, "copy"), level->level, NULL, from_w, &level->take_w);
  return status;
}

gmg_status gmg_smooth_prepare(struct gmg_solver *s)
{
  for (int l = 0; l < s->levels; l++)
    s->level[l].eigenvalue = 2.0; /* Gershgorin, where A is made of conductances */
  return GMG_OK;
}

static void gauss_seidel(struct gmg_solver *s, struct gmg_call *call, int sweeps)
{
  gmg_call_set(call, "omega", s->omega);
  for (int n = 0; n < sweeps; n++)
    for (int colour = 0; colour < s->op->colours; colour++) {
      gmg_call_set(call, "colour", colour);
      gmg_call_run(call);
    }
}

static void jacobi(struct gmg_solver *s, struct gmg_cycle_level *level, int sweeps)
{
  for (int n = 0; n < sweeps; n++) {
    struct gmg_call *call = level->smooth[n % 2];
    gmg_call_set(call, "omega", s->omega);
    gmg_call_run(call);
  }
  if (sweeps % 2)
    gmg_call_run(level->take_w);
}

/* The three-term recurrence for the polynomial that is least on [bound / 8, bound] (Saad, Iterative methods for sparse
 * linear systems, section 12.3). */
static void chebyshev(struct gmg_solver *s, struct gmg_cycle_level *level, int sweeps)
{
  const double upper = level->eigenvalue, lower = 0.125 * upper;
  const double centre = 0.5 * (upper + lower), radius = 0.5 * (upper - lower);
  int steps = 0;
  for (int n = 0; n < sweeps; n++) {
    double rho = radius / centre, c1 = 0, c2 = 1 / centre;
    for (int degree = 0; degree < s->options.degree; degree++, steps++) {
      if (degree > 0) {
        const double next = 1 / (2 * centre / radius - rho);
        c1 = next * rho;
        c2 = 2 * next / radius;
        rho = next;
      }
      struct gmg_call *call = level->smooth[steps % 2];
      gmg_call_set(call, "c1", c1);
      gmg_call_set(call, "c2", c2);
      gmg_call_run(call);
    }
  }
  if (steps % 2)
    gmg_call_run(level->take_w);
}

void gmg_smooth(struct gmg_solver *s, int l, int sweeps)
{
  struct gmg_cycle_level *level = &s->level[l];
  switch ((enum gmg_smoother)s->options.smoother) {
  case GMG_SMOOTH_GSRB:
    gauss_seidel(s, level->smooth[0], sweeps);
    break;
  case GMG_SMOOTH_JACOBI:
    jacobi(s, level, sweeps);
    break;
  case GMG_SMOOTH_CHEBYSHEV:
    chebyshev(s, level, sweeps);
    break;
  }
}
