#include "bottom.h"

#include "bottom_krylov.h"
#include "direct.h"
#include "problem/kernels.h"

#include <stdio.h>

enum { MOST_SWEEPS = 500, KRYLOV_CELLS = 512 };

int gmg_bottom_cells(const struct gmg_solver *s)
{
  if (s->problem.options.bottom_cells != GMG_OPTION_AUTO)
    return s->problem.options.bottom_cells;
  switch ((enum gmg_bottom)s->problem.options.bottom) {
  case GMG_BOTTOM_CG:
  case GMG_BOTTOM_BICGSTAB:
    return KRYLOV_CELLS;
  case GMG_BOTTOM_DIRECT:
    return GMG_DIRECT_CELLS;
  default:
    return 1;
  }
}

int gmg_bottom_wants_one_box(const struct gmg_solver *s)
{
  return s->problem.options.bottom == GMG_BOTTOM_DIRECT;
}

/* One cell needs no method. */
static int choose(const struct gmg_solver *s)
{
  if (gmg_coarsest(s)->cells == 1)
    return GMG_BOTTOM_SWEEPS;
  return s->problem.options.bottom == GMG_BOTTOM_AUTO ? GMG_BOTTOM_SWEEPS
                                                      : s->problem.options.bottom;
}

static gmg_status bind_method(struct gmg_solver *s)
{
  struct gmg_level *level = gmg_coarsest(s);
  switch ((enum gmg_bottom)s->hierarchy.bottom.method) {
  case GMG_BOTTOM_CG:
    return gmg_bottom_bind_cg(s);
  case GMG_BOTTOM_BICGSTAB:
    return gmg_bottom_bind_bicgstab(s);
  case GMG_BOTTOM_DIRECT:
    break;
  default:
    return GMG_OK;
  }
  if (!gmg_direct_available())
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "bottom: 'direct' needs LAPACK, which this build was configured without");
  if (level->cells > GMG_DIRECT_MOST_CELLS)
    return gmg_fail(s->context, GMG_ERR_OPTION,
                    "bottom: 'direct' takes at most %d cells, and the coarsest level has %lld; "
                    "lower bottom-cells",
                    GMG_DIRECT_MOST_CELLS, (long long)level->cells);
  return gmg_direct_bind(s);
}

gmg_status gmg_bottom_bind(struct gmg_solver *s)
{
  gmg_direct_destroy(s); /* levels may be made anew in another precision */
  s->hierarchy.bottom = (struct gmg_bottom_calls){.method = choose(s)};
  const struct gmg_kernel_descriptor *sweep = gmg_operator_kernel(s, GMG_GAUSS_SEIDEL);
  if (!sweep)
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has no Gauss-Seidel smoother",
                    s->problem.op->name);
  const gmg_status status =
    gmg_call_keep(sweep, gmg_coarsest(s), NULL, NULL, &s->hierarchy.bottom.sweep);
  return status ? status : bind_method(s);
}

gmg_status gmg_bottom_prepare(struct gmg_solver *s)
{
  int failed = 0;
  if (s->hierarchy.bottom.method != GMG_BOTTOM_DIRECT)
    return GMG_OK;
  const gmg_status status = gmg_direct_factor(s, &failed);
  s->hierarchy.bottom.no_inverse = failed;
  if (failed && s->report.fallbacks < GMG_FALLBACKS)
    snprintf(s->report.fallback[s->report.fallbacks++], sizeof s->report.fallback[0],
             "bottom direct: the matrix of the coarsest level has no inverse; sweeps instead");
  return status;
}

const char *gmg_bottom_text(const struct gmg_solver *s)
{
  static const char *const names[] = {"auto", "sweeps", "cg", "bicgstab", "direct"};
  return names[s->hierarchy.bottom.no_inverse ? GMG_BOTTOM_SWEEPS : s->hierarchy.bottom.method];
}

void gmg_bottom_begin(struct gmg_solver *s)
{
  struct gmg_bottom_calls *b = &s->hierarchy.bottom;
  struct gmg_reducer *const reducers[] = {&b->rho, &b->sigma, &b->tt, &b->ts, &b->rr, &b->mean};
  for (size_t n = 0; n < sizeof reducers / sizeof *reducers; n++)
    gmg_reducer_forget(reducers[n]);
}

static void sweeps(struct gmg_solver *s)
{
  int longest = 1;
  for (int d = 0; d < 3; d++)
    if (s->hierarchy.cells[s->hierarchy.levels - 1][d] > longest)
      longest = s->hierarchy.cells[s->hierarchy.levels - 1][d];
  const double wanted = longest > 1 ? 4.0 + (double)longest * longest : 1.0;
  const int count = wanted < MOST_SWEEPS ? (int)wanted : MOST_SWEEPS;
  gmg_call_set(s->hierarchy.bottom.sweep, "omega", 1);
  for (int n = 0; n < count; n++)
    for (int colour = 0; colour < s->problem.op->colours; colour++) {
      gmg_call_set(s->hierarchy.bottom.sweep, "colour", colour);
      gmg_call_run(s->hierarchy.bottom.sweep);
    }
}

void gmg_bottom_solve(struct gmg_solver *s)
{
  if (s->problem.singular && gmg_coarsest(s)->cells == 1)
    gmg_call_run(s->hierarchy.level[s->hierarchy.levels - 1].zero);
  else if (s->hierarchy.bottom.method == GMG_BOTTOM_DIRECT && !s->hierarchy.bottom.no_inverse)
    gmg_direct_solve(s);
  else if (s->hierarchy.bottom.method == GMG_BOTTOM_CG)
    gmg_bottom_cg(s);
  else if (s->hierarchy.bottom.method == GMG_BOTTOM_BICGSTAB)
    gmg_bottom_bicgstab(s);
  else
    sweeps(s);
}
