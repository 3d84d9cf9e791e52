#include "smooth.h"

#include "choose.h"
#include "relaxation.h"
#include "problem/kernels.h"
#include "system/order.h"

#include <math.h>

/* Not where colours clash: the cells of the second colour are neighbours there, too. */
static gmg_status bind_from_zero(struct gmg_hierarchy *h, int l)
{
  static const enum gmg_kernel_role roles[] = {GMG_ZERO_FIRST, GMG_ZERO_SECOND};
  struct gmg_cycle_level *level = &h->level[l];
  gmg_status status = GMG_OK;
  if (h->problem->options.pre == 0 || gmg_colours_clash(h, l))
    return status;
  for (int colour = 0; colour < 2 && !status; colour++) {
    const struct gmg_kernel_descriptor *kernel =
      gmg_level_kernel(h->problem, level->level, roles[colour]);
    if (kernel)
      status = gmg_call_keep(kernel, level->level, NULL, NULL, &level->from_zero[colour]);
  }
  return status;
}

/* Whether the cells of two colours in a row can be swept in one call: nothing is exchanged between
 * the two. Where a box has neighbours along x, or is its own, the second colour needs new values of
 * the first in ghosts; so do rows that are neighbours over a seam. */
static int takes_rows(const struct gmg_hierarchy *h, int l)
{
  return h->level[l].level->layout->blocks[0] == 1 && h->axis[l][0].kind[0] != GMG_PERIODIC
    && !gmg_colours_clash(h, l);
}

const struct gmg_kernel_descriptor *gmg_smooth_kernel(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_level *level = h->level[l].level;
  const struct gmg_kernel_descriptor *rows =
    takes_rows(h, l) ? gmg_level_kernel(h->problem, level, GMG_GAUSS_SEIDEL_ROWS) : NULL;
  return rows ? rows : gmg_level_kernel(h->problem, level, GMG_GAUSS_SEIDEL);
}

gmg_status gmg_smooth_bind(struct gmg_hierarchy *h, int l)
{
  static const enum gmg_kernel_role roles[] = {GMG_GAUSS_SEIDEL, GMG_JACOBI, GMG_CHEBYSHEV};
  const int smoother = h->problem->options.smoother;
  static const struct gmg_rename swapped[] = {{"u", "w"}, {"w", "u"}, {NULL, NULL}};
  static const struct gmg_rename from_w[] = {{"y", "u"}, {"x", "w"}, {NULL, NULL}};
  struct gmg_cycle_level *level = &h->level[l];
  const struct gmg_kernel_descriptor *kernel = smoother == GMG_SMOOTH_GSRB
    ? gmg_smooth_kernel(h, l)
    : gmg_level_kernel(h->problem, level->level, roles[smoother]);
  if (!kernel)
    return gmg_fail(h->context, GMG_ERR_OPTION, "operator '%s' has no such smoother",
                    level->level->op->name);
  gmg_status status = gmg_call_keep(kernel, level->level, NULL, NULL, &level->smooth[0]);
  /* What sums round, the second of two iterations takes away again; not where aspect ratios magnify
   * it: a cycle or two more. */
  const struct gmg_kernel_descriptor *sums = gmg_is_cubical(h, l)
    ? gmg_level_kernel_in(h->problem, level->level, GMG_GAUSS_SEIDEL_SUMS, level->level->precision)
    : NULL;
  for (int n = 0; n < 2 * GMG_HALF_SWEEPS && !status && gmg_may_take_factors(h, l); n++) {
    const int first = n % GMG_HALF_SWEEPS < GMG_HALF_SWEEPS / 2;
    struct gmg_call **call = &level->half_sweep[n / GMG_HALF_SWEEPS][n % GMG_HALF_SWEEPS];
    status = gmg_call_keep(first && sums ? sums : kernel, level->level, NULL, NULL, call);
  }
  if (status || smoother == GMG_SMOOTH_GSRB)
    return status ? status : bind_from_zero(h, l);
  status = gmg_call_keep(kernel, level->level, NULL, swapped, &level->smooth[1]);
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(h->problem, "copy"), level->level, NULL, from_w,
                           &level->take_w);
  return status;
}

void gmg_fill_field(struct gmg_level *level, void **field, double (*value)(int i, int j, int k))
{
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    const int *lower = box->lower;
    for (int k = 0; k < box->cells[2]; k++)
      for (int j = 0; j < box->cells[1]; j++)
        for (int i = 0; i < box->cells[0]; i++)
          gmg_level_put(level, field[b], gmg_offset(box, i, j, k),
                        value(lower[0] + i, lower[1] + j, lower[2] + k));
  }
}

static double noise(int i, int j, int k)
{
  uint64_t x = (uint64_t)i * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 29 ^ (uint64_t)j) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 31 ^ (uint64_t)k) * 0x94D049BB133111EBu;
  return (double)(x >> 11) / 4503599627370496.0 - 1;
}

void gmg_fill_noise(struct gmg_level *level, void **field)
{
  gmg_fill_field(level, field, noise);
}

/* The largest eigenvalue of D⁻¹ A by power iteration on I + D⁻¹ A, which a Jacobi step with factor
 * -1 on f = 0 is; by Rayleigh quotients, with a margin. It does not depend on the ranks. */
static gmg_status power_iteration(struct gmg_hierarchy *h, struct gmg_cycle_level *cycle_level)
{
  enum { STEPS = 15 };
  const double margin = 1.1;
  static const struct gmg_rename of_u_u[] = {{"x", "u"}, {"y", "u"}, {NULL, NULL}};
  static const struct gmg_rename of_u_w[] = {{"x", "u"}, {"y", "w"}, {NULL, NULL}};
  static const struct gmg_rename from_w[] = {{"x", "w"}, {"y", "u"}, {NULL, NULL}};
  struct gmg_level *level = cycle_level->level;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    const struct gmg_rename *rename;
  } list[] = {{gmg_level_kernel(h->problem, level, GMG_JACOBI), NULL},
              {gmg_written_kernel(h->problem, "dot"), of_u_u},
              {gmg_written_kernel(h->problem, "dot"), of_u_w},
              {gmg_written_kernel(h->problem, "set"), of_u_u},
              {gmg_written_kernel(h->problem, "axpy"), from_w}};
  enum { STEP, UU, UW, ZERO, ADD, CALLS };
  struct gmg_call *call[CALLS] = {NULL};
  gmg_status status = GMG_OK;
  for (int n = 0; n < CALLS && !status; n++)
    status = gmg_call_bind(list[n].kernel, level, NULL, list[n].rename, &call[n]);
  status = gmg_agree(h->context, status);
  double most = 2;
  if (!status) {
    struct gmg_reducer uu = {.sum = call[UU]}, uw = {.sum = call[UW]};
    gmg_level_clear(level, GMG_NAME_F); /* what the last solve left */
    gmg_fill_noise(level, gmg_level_find(level, GMG_NAME_U)->box);
    gmg_call_set(call[STEP], GMG_SCALAR_OMEGA, -1);
    for (int n = 0; n < STEPS; n++) {
      gmg_call_run(call[STEP]);
      const double size = gmg_reduce(&uu, NULL);
      most = size > 0 ? gmg_reduce(&uw, NULL) / size : 2;
      gmg_call_run(call[ZERO]);
      gmg_run_scaled(call[ADD], 1 / most);
    }
    gmg_call_run(call[ZERO]);
    gmg_call_wait(h->context);
    gmg_level_clear(level, GMG_NAME_W);
  }
  for (int n = 0; n < CALLS; n++)
    gmg_call_destroy(&call[n]);
  cycle_level->eigenvalue = margin * (most - 1);
  return status;
}

gmg_status gmg_smooth_measure(struct gmg_hierarchy *h)
{
  const int wanted = h->problem->options.smoother == GMG_SMOOTH_CHEBYSHEV
    && h->problem->op->boundary == GMG_GHOST_FORMULAS;
  gmg_status status = GMG_OK;
  for (int l = 0; l < h->levels; l++)
    h->level[l].eigenvalue = 2.0; /* Gershgorin, where A is made of conductances */
  for (int l = 0; l + 1 < h->levels && wanted && !status; l++)
    status = power_iteration(h, &h->level[l]);
  return status;
}

/* Whether level l has cells of that colour of Gauss-Seidel: where axes have one cell, some colours
 * have none. */
static int colour_has_cells(const struct gmg_hierarchy *h, int l, int colour)
{
  const struct gmg_operator_descriptor *op = h->level[l].level->op;
  const int *cells = h->cells[l];
  if (op->colours == 1)
    return 1;
  if (op->parity)
    return colour == 0 || cells[0] > 1 || cells[1] > 1 || cells[2] > 1;
  for (int d = 0; d < 3; colour /= op->modulus[d++])
    if (colour % op->modulus[d] >= cells[d])
      return 0;
  return 1;
}

static void sweep_colour(struct gmg_call *call, int colour, double omega)
{
  gmg_call_set(call, GMG_SCALAR_OMEGA, omega);
  gmg_call_set(call, GMG_SCALAR_COLOUR, colour);
  gmg_call_run(call);
}

/* The colours from `first` up to `end`. */
static void sweep_colours(const struct gmg_hierarchy *h, int l, struct gmg_call *call, double omega,
                          int first, int end)
{
  const int together = gmg_colours_swept(call->kernel);
  for (int colour = first; colour < end; colour += together)
    /* Of two colours the even one has the first cell of every row. */
    if (colour_has_cells(h, l, colour - colour % together))
      sweep_colour(call, colour, omega);
}

static void jacobi(struct gmg_cycle_level *level, int sweeps)
{
  for (int n = 0; n < sweeps; n++) {
    struct gmg_call *call = level->smooth[n % 2];
    gmg_call_set(call, GMG_SCALAR_OMEGA, level->omega);
    gmg_call_run(call);
  }
  if (sweeps % 2)
    gmg_call_run(level->take_w);
}

/* The three-term recurrence for the polynomial that is least on [bound / 8, bound] (Saad, Iterative
 * methods for sparse linear systems, section 12.3). */
static void chebyshev(struct gmg_hierarchy *h, struct gmg_cycle_level *level, int sweeps)
{
  const double upper = level->eigenvalue, lower = 0.125 * upper;
  const double centre = 0.5 * (upper + lower), radius = 0.5 * (upper - lower);
  int steps = 0;
  for (int n = 0; n < sweeps; n++) {
    double rho = radius / centre, c1 = 0, c2 = 1 / centre;
    for (int degree = 0; degree < h->problem->options.degree; degree++, steps++) {
      if (degree > 0) {
        const double next = 1 / (2 * centre / radius - rho);
        c1 = next * rho;
        c2 = 2 * next / radius;
        rho = next;
      }
      struct gmg_call *call = level->smooth[steps % 2];
      gmg_call_set(call, GMG_SCALAR_C1, c1);
      gmg_call_set(call, GMG_SCALAR_C2, c2);
      gmg_call_run(call);
    }
  }
  if (steps % 2)
    gmg_call_run(level->take_w);
}

void gmg_smooth_sweep(const struct gmg_hierarchy *h, int l, struct gmg_call *call, double omega,
                      int back)
{
  const int colours = h->level[l].level->op->colours, together = gmg_colours_swept(call->kernel);
  for (int c = 0; c < colours; c += together) {
    const int colour = back ? colours - 1 - c : c;
    /* Of two colours the even one has the first cell of every row. */
    if (colour_has_cells(h, l, colour - colour % together))
      sweep_colour(call, colour, omega);
  }
}

/* before: whether it is before the coarse correction. After it colours go backwards where the cycle
 * is to be symmetric: where pieces of cells had to be forced on owners, others take half as many
 * iterations more. */
static void smooth(struct gmg_hierarchy *h, int l, int sweeps, int before)
{
  struct gmg_cycle_level *level = &h->level[l];
  if (h->problem->options.smoother == GMG_SMOOTH_JACOBI)
    jacobi(level, sweeps);
  else if (h->problem->options.smoother == GMG_SMOOTH_CHEBYSHEV)
    chebyshev(h, level, sweeps);
  else
    for (int n = 0; n < sweeps; n++)
      gmg_smooth_sweep(h, l, level->smooth[0], level->omega, h->owners && !before);
}

/* before: whether it is before the coarse correction. from: how many half-sweeps have been. */
static void smooth_in_cycle(struct gmg_hierarchy *h, int l, int before, int from)
{
  const struct gmg_cycle_level *level = &h->level[l];
  const int sweeps = before ? h->problem->options.pre : h->problem->options.post;
  if (!level->factor)
    smooth(h, l, level->times * sweeps - from / 2, before);
  const int half = level->level->op->colours / 2;
  for (int n = from; n < GMG_HALF_SWEEPS && level->factor; n++)
    sweep_colours(h, l, level->half_sweep[before][n], level->factor[before][n], n % 2 * half,
                  (n % 2 + 1) * half);
}

void gmg_smooth_before(struct gmg_hierarchy *h, int l)
{
  smooth_in_cycle(h, l, 1, 0);
}

void gmg_smooth_from_zero(struct gmg_hierarchy *h, int l)
{
  const struct gmg_cycle_level *level = &h->level[l];
  const int starts = level->from_zero[0] && level->from_zero[1];
  if (!starts)
    gmg_call_run(level->zero);
  for (int colour = 0; colour < 2 && starts; colour++)
    sweep_colour(level->from_zero[colour], colour,
                 level->factor ? level->factor[1][colour] : level->omega);
  smooth_in_cycle(h, l, 1, starts ? 2 : 0);
}

void gmg_smooth_after(struct gmg_hierarchy *h, int l)
{
  smooth_in_cycle(h, l, 0, 0);
}

void gmg_smooth_once(struct gmg_hierarchy *h, int l)
{
  smooth(h, l, 1, 1);
}
