#include "bottom.h"

#include "bottom_fft.h"
#include "bottom_inverse.h"
#include "bottom_krylov.h"
#include "choose.h"
#include "direct.h"
#include "system/order.h"
#include "problem/kernels.h"
#include "smooth.h"
#include "transfer.h"

#include <limits.h>

enum { MOST_SWEEPS = 500, KRYLOV_CELLS = 512 };
/* Where β jumps by more, elimination may overflow, and no method reaches more than a few digits. */
#define MOST_INVERSE_JUMP 1e15

int gmg_bottom_cells(const struct gmg_hierarchy *h)
{
  static const int cells[] = {[GMG_BOTTOM_AUTO] = 1,
                              [GMG_BOTTOM_SWEEPS] = 1,
                              [GMG_BOTTOM_CG] = KRYLOV_CELLS,
                              [GMG_BOTTOM_BICGSTAB] = KRYLOV_CELLS,
                              [GMG_BOTTOM_DIRECT] = GMG_DIRECT_CELLS,
                              [GMG_BOTTOM_INVERSE] = 1,
                              [GMG_BOTTOM_FFT] = GMG_FFT_CELLS};
  const struct gmg_options *o = &h->problem->options;
  if (gmg_by_transforms(h->problem)) /* needs no level but the finest */
    return INT_MAX;
  return o->bottom_cells != GMG_OPTION_AUTO ? o->bottom_cells : cells[o->bottom];
}

/* The first level after the finest that has at most two cells along each axis, for its inverse; -1:
 * there is none, or the options want none. */
static int find_inverse_level(const struct gmg_hierarchy *h)
{
  const struct gmg_options *o = &h->problem->options;
  const int wanted = o->bottom == GMG_BOTTOM_INVERSE
    || (o->bottom == GMG_BOTTOM_AUTO && o->bottom_sweeps == GMG_OPTION_AUTO);
  for (int l = 1; l < h->levels && wanted; l++)
    if (gmg_larger(h->cells[l][0], gmg_larger(h->cells[l][1], h->cells[l][2])) == 2)
      return l;
  return -1;
}

int gmg_bottom_levels_in_one_box(const struct gmg_hierarchy *h)
{
  const int inverse_level = find_inverse_level(h);
  if (gmg_by_transforms(h->problem))
    return 0;
  return inverse_level >= 0 ? h->levels - inverse_level
                            : h->problem->options.bottom == GMG_BOTTOM_DIRECT
      || h->problem->options.bottom == GMG_BOTTOM_FFT;
}

void gmg_bottom_choose(struct gmg_hierarchy *h)
{
  const int fits =
    gmg_beta_jumps(h) ? h->cycle == GMG_CYCLE_W && h->problem->jump <= MOST_INVERSE_JUMP : 1;
  h->ends_by_inverse =
    h->bottom.inverse.apply && (h->problem->options.bottom == GMG_BOTTOM_INVERSE || fits);
}

/* Of the coarsest level. One cell needs no method. */
static int choose(const struct gmg_hierarchy *h)
{
  const int asked = h->problem->options.bottom;
  return gmg_by_transforms(h->problem) || gmg_coarsest(h)->cells == 1 || asked == GMG_BOTTOM_AUTO
      || asked == GMG_BOTTOM_INVERSE
    ? GMG_BOTTOM_SWEEPS
    : asked;
}

static gmg_status bind_method(struct gmg_hierarchy *h)
{
  const struct gmg_level *level = gmg_coarsest(h);
  if (h->bottom.method == GMG_BOTTOM_CG)
    return gmg_bottom_bind_cg(h);
  if (h->bottom.method == GMG_BOTTOM_BICGSTAB)
    return gmg_bottom_bind_bicgstab(h);
  if (h->bottom.method == GMG_BOTTOM_FFT)
    return gmg_bottom_fft_bind(h);
  if (h->bottom.method != GMG_BOTTOM_DIRECT)
    return GMG_OK;
  if (!gmg_direct_available())
    return gmg_fail(h->context, GMG_ERR_UNSUPPORTED,
                    "bottom: 'direct' needs LAPACK, which this build was configured without");
  if (level->cells > GMG_DIRECT_MOST_CELLS)
    return gmg_fail(h->context, GMG_ERR_OPTION,
                    "bottom: 'direct' takes at most %d cells, and the coarsest level has %lld; "
                    "lower bottom-cells",
                    GMG_DIRECT_MOST_CELLS, (long long)level->cells);
  return gmg_direct_bind(h);
}

gmg_status gmg_bottom_bind(struct gmg_hierarchy *h)
{
  gmg_direct_destroy(h); /* levels may be made anew in another precision */
  gmg_bottom_fft_destroy(h);
  h->bottom = (struct gmg_bottom_calls){.method = choose(h)};
  const struct gmg_kernel_descriptor *sweep = gmg_smooth_kernel(h, h->levels - 1);
  if (!sweep)
    return gmg_fail(h->context, GMG_ERR_OPTION, "operator '%s' has no Gauss-Seidel smoother",
                    gmg_coarsest(h)->op->name);
  gmg_status status = gmg_call_keep(sweep, gmg_coarsest(h), NULL, NULL, &h->bottom.sweep);
  const int inverse_level = find_inverse_level(h);
  if (!status && inverse_level >= 0)
    status = gmg_inverse_bind(h, inverse_level);
  return status ? status : bind_method(h);
}

void gmg_bottom_renew(struct gmg_hierarchy *h)
{
  if (h->ends_by_inverse)
    gmg_inverse_compute(h);
}

gmg_status gmg_bottom_prepare(struct gmg_hierarchy *h, struct gmg_report *report)
{
  if (gmg_by_transforms(h->problem))
    return GMG_OK;
  if (h->problem->options.bottom_sweeps != GMG_OPTION_AUTO && h->bottom.method != GMG_BOTTOM_SWEEPS)
    gmg_report_fallback(report, "bottom-sweeps has no effect: the bottom solver is %s",
                        gmg_bottom_text(h));
  if (h->problem->options.bottom == GMG_BOTTOM_INVERSE && !h->ends_by_inverse)
    gmg_report_fallback(report,
                        "bottom inverse: no level after the finest has two cells along its "
                        "longest axis; sweeps instead");
  gmg_bottom_renew(h);
  if (h->bottom.method != GMG_BOTTOM_DIRECT)
    return GMG_OK;
  const gmg_status status = gmg_direct_factor(h, &h->bottom.no_inverse);
  if (h->bottom.no_inverse)
    gmg_report_fallback(
      report, "bottom direct: the matrix of the coarsest level has no inverse; sweeps instead");
  return status;
}

const char *gmg_bottom_text(const struct gmg_hierarchy *h)
{
  static const char *const names[] = {"auto",   "sweeps",  "cg", "bicgstab",
                                      "direct", "inverse", "fft"};
  if (h->ends_by_inverse)
    return "inverse";
  return names[h->bottom.no_inverse ? GMG_BOTTOM_SWEEPS : h->bottom.method];
}

void gmg_bottom_begin(struct gmg_hierarchy *h)
{
  struct gmg_bottom_calls *b = &h->bottom;
  struct gmg_reducer *const reducers[] = {&b->rho, &b->sigma, &b->tt, &b->ts, &b->rr, &b->mean};
  for (size_t n = 0; n < GMG_LENGTH(reducers); n++)
    gmg_reducer_forget(reducers[n]);
}

static void sweeps(struct gmg_hierarchy *h)
{
  int longest = 1;
  for (int d = 0; d < 3; d++)
    longest = gmg_larger(longest, h->cells[h->levels - 1][d]);
  const double wanted = longest > 1 ? 4.0 + (double)longest * longest : 1.0;
  const int given = h->problem->options.bottom_sweeps;
  const int count = given != GMG_OPTION_AUTO ? given
    : wanted < MOST_SWEEPS                   ? (int)wanted
                                             : MOST_SWEEPS;
  for (int n = 0; n < count; n++)
    gmg_smooth_sweep(h, h->levels - 1, h->bottom.sweep, 1, 0);
}

void gmg_bottom_solve_from_zero(struct gmg_hierarchy *h, int l)
{
  if (!h->ends_by_inverse || l != h->bottom.inverse.level)
    gmg_set_zero(h, l);
  gmg_bottom_solve(h, l);
}

void gmg_bottom_solve(struct gmg_hierarchy *h, int l)
{
  if (h->ends_by_inverse && l == h->bottom.inverse.level)
    gmg_inverse_apply(h);
  else if (h->problem->singular && gmg_coarsest(h)->cells == 1)
    gmg_call_run(h->level[h->levels - 1].zero);
  else if (h->bottom.method == GMG_BOTTOM_DIRECT && !h->bottom.no_inverse)
    gmg_direct_solve(h);
  else if (h->bottom.method == GMG_BOTTOM_FFT)
    gmg_bottom_fft_solve(h);
  else if (h->bottom.method == GMG_BOTTOM_CG)
    gmg_bottom_cg(h);
  else if (h->bottom.method == GMG_BOTTOM_BICGSTAB)
    gmg_bottom_bicgstab(h);
  else
    sweeps(h);
}
