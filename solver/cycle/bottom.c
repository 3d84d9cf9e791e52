#include "bottom.h"

#include "bottom_inverse.h"
#include "bottom_krylov.h"
#include "direct.h"
#include "system/order.h"
#include "problem/kernels.h"

enum { MOST_SWEEPS = 500, KRYLOV_CELLS = 512 };

int gmg_bottom_cells(const struct gmg_hierarchy *h)
{
  static const int cells[] = {[GMG_BOTTOM_AUTO] = 1,
                              [GMG_BOTTOM_SWEEPS] = 1,
                              [GMG_BOTTOM_CG] = KRYLOV_CELLS,
                              [GMG_BOTTOM_BICGSTAB] = KRYLOV_CELLS,
                              [GMG_BOTTOM_DIRECT] = GMG_DIRECT_CELLS,
                              [GMG_BOTTOM_INVERSE] = 1};
  const struct gmg_options *o = &h->problem->options;
  return o->bottom_cells != GMG_OPTION_AUTO ? o->bottom_cells : cells[o->bottom];
}

/* Whether level l, if it is the coarsest, is solved by its inverse. */
static int inverts(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_options *o = &h->problem->options;
  const int *cells = h->cells[l], longest = gmg_larger(cells[0], gmg_larger(cells[1], cells[2]));
  const int asked = o->bottom == GMG_BOTTOM_INVERSE
    || (o->bottom == GMG_BOTTOM_AUTO && o->bottom_sweeps == GMG_OPTION_AUTO);
  return asked && l > 0 && longest == 2;
}

int gmg_bottom_ends(const struct gmg_hierarchy *h, int l)
{
  const int64_t cells = (int64_t)h->cells[l][0] * h->cells[l][1] * h->cells[l][2];
  return cells <= gmg_bottom_cells(h)
    || (h->problem->options.bottom_cells == GMG_OPTION_AUTO && inverts(h, l));
}

int gmg_bottom_wants_one_box(const struct gmg_hierarchy *h)
{
  return h->problem->options.bottom == GMG_BOTTOM_DIRECT || inverts(h, h->levels - 1);
}

/* One cell needs no method. */
static int choose(const struct gmg_hierarchy *h)
{
  const int asked = h->problem->options.bottom;
  if (inverts(h, h->levels - 1))
    return GMG_BOTTOM_INVERSE;
  return gmg_coarsest(h)->cells == 1 || asked == GMG_BOTTOM_AUTO || asked == GMG_BOTTOM_INVERSE
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
  if (h->bottom.method == GMG_BOTTOM_INVERSE)
    return gmg_inverse_bind(h);
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
  h->bottom = (struct gmg_bottom_calls){.method = choose(h)};
  const struct gmg_kernel_descriptor *sweep =
    gmg_level_kernel(h->problem, gmg_coarsest(h), GMG_GAUSS_SEIDEL);
  if (!sweep)
    return gmg_fail(h->context, GMG_ERR_OPTION, "operator '%s' has no Gauss-Seidel smoother",
                    gmg_coarsest(h)->op->name);
  const gmg_status status = gmg_call_keep(sweep, gmg_coarsest(h), NULL, NULL, &h->bottom.sweep);
  return status ? status : bind_method(h);
}

void gmg_bottom_rescale(struct gmg_hierarchy *h)
{
  if (h->bottom.method == GMG_BOTTOM_INVERSE)
    gmg_inverse_compute(h);
}

gmg_status gmg_bottom_prepare(struct gmg_hierarchy *h, struct gmg_report *report)
{
  if (h->problem->options.bottom_sweeps != GMG_OPTION_AUTO && h->bottom.method != GMG_BOTTOM_SWEEPS)
    gmg_report_fallback(report, "bottom-sweeps has no effect: the bottom solver is %s",
                        gmg_bottom_text(h));
  if (h->problem->options.bottom == GMG_BOTTOM_INVERSE && h->bottom.method == GMG_BOTTOM_SWEEPS
      && gmg_coarsest(h)->cells > 1)
    gmg_report_fallback(report,
                        "bottom inverse: the coarsest level is the finest, or has more than "
                        "two cells along an axis; sweeps instead");
  gmg_bottom_rescale(h);
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
  static const char *const names[] = {"auto", "sweeps", "cg", "bicgstab", "direct", "inverse"};
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
  gmg_call_set(h->bottom.sweep, GMG_SCALAR_OMEGA, 1);
  for (int n = 0; n < count; n++)
    for (int colour = 0; colour < gmg_coarsest(h)->op->colours; colour++) {
      gmg_call_set(h->bottom.sweep, GMG_SCALAR_COLOUR, colour);
      gmg_call_run(h->bottom.sweep);
    }
}

int gmg_bottom_reads_u(const struct gmg_hierarchy *h)
{
  return h->bottom.method != GMG_BOTTOM_INVERSE
    && (h->bottom.method != GMG_BOTTOM_DIRECT || h->bottom.no_inverse);
}

void gmg_bottom_solve(struct gmg_hierarchy *h)
{
  if (h->problem->singular && gmg_coarsest(h)->cells == 1)
    gmg_call_run(h->level[h->levels - 1].zero);
  else if (h->bottom.method == GMG_BOTTOM_DIRECT && !h->bottom.no_inverse)
    gmg_direct_solve(h);
  else if (h->bottom.method == GMG_BOTTOM_CG)
    gmg_bottom_cg(h);
  else if (h->bottom.method == GMG_BOTTOM_BICGSTAB)
    gmg_bottom_bicgstab(h);
  else if (h->bottom.method == GMG_BOTTOM_INVERSE)
    gmg_inverse_apply(h);
  else
    sweeps(h);
}
