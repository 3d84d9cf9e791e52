#include "summary.h"

#include <stdio.h>
#include <string.h>

static int describe(const struct problem_side *side, char *text, size_t size)
{
  if (side->kind == GMG_ROBIN)
    return snprintf(text, size, "robin (c0 %g, c1 %g)", side->c0, side->c1);
  return snprintf(text, size, "%s", problem_boundary_names[side->kind]);
}

/* Both sides of an axis. */
static const char *pair(const struct problem *problem, int axis, char *text, size_t size)
{
  const struct problem_side *low = &problem->side[2 * axis], *high = low + 1;
  const int used = describe(low, text, size);
  if (low->kind != high->kind || low->c0 != high->c0 || low->c1 != high->c1) {
    text[used] = '/';
    describe(high, text + used + 1, size - (size_t)used - 1);
  }
  return text;
}

void summary_problem(const struct progress *progress, const char *path,
                     const struct problem *problem)
{
  const int *cells = problem->cells;
  const double *lower = problem->lower, *upper = problem->upper;
  int stretched = problem->stretched[0] || problem->stretched[1] || problem->stretched[2];
  const char *beta = problem->has[FIELD_BETA_X] ? "beta on faces"
    : !problem->has[FIELD_BETA]                 ? "beta 1"
    : problem->average == GMG_ARITHMETIC        ? "beta on cells, arithmetic mean"
                                                : "beta on cells, harmonic mean";
  char x[120], y[120], z[120];
  progress_line(progress, "problem    %s", path);
  progress_line(progress, "grid       %d x %d x %d cells on [%g, %g] x [%g, %g] x [%g, %g]%s",
                cells[0], cells[1], cells[2], lower[0], upper[0], lower[1], upper[1], lower[2],
                upper[2], stretched ? ", stretched" : "");
  progress_line(progress, "equation   a alpha u - b div(beta grad u) = f, a %g, b %g, %s, %s",
                problem->a, problem->b, problem->has[FIELD_ALPHA] ? "alpha on cells" : "alpha 1",
                beta);
  progress_line(progress, "faces      x %s, y %s, z %s", pair(problem, 0, x, sizeof x),
                pair(problem, 1, y, sizeof y), pair(problem, 2, z, sizeof z));
}

static void summary_owners(const struct progress *progress, const gmg_solver *solver)
{
  const char *coarsening = gmg_solver_option(solver, "coarsening");
  char given[200] = "";
  long long forced = 0;
  if (!coarsening || strcmp(coarsening, "owners") != 0)
    return;
  for (int l = 0; l + 1 < gmg_solver_levels(solver); l++) {
    gmg_level_info info = {0};
    gmg_solver_level_info(solver, l, &info);
    const size_t used = strlen(given);
    snprintf(given + used, sizeof given - used, "%s%lld", l ? ", " : "",
             (long long)info.given_away);
    forced += info.forced;
  }
  progress_line(
    progress,
    "owners     so many cells of each level belong to a coarse cell that does not cover "
    "them: %s; %lld pieces had to be forced on one",
    given, forced);
}

static void summary_layers(const struct progress *progress, const gmg_solver *solver)
{
  const int given = gmg_solver_option_given(solver, "anisotropy") != NULL;
  const char *strength = gmg_solver_option(solver, "anisotropy");
  if (!given && strength && strcmp(strength, "auto") != 0 && strcmp(strength, "1,1,1") != 0)
    progress_line(progress,
                  "layers     beta lies in thin layers, or along fibres: cells are paired as if it "
                  "were %s along x,y,z",
                  strength);
}

void summary_setup(const struct progress *progress, const struct report *report)
{
  gmg_level_info finest = {0}, coarsest = {0};
  int levels = gmg_solver_levels(report->solver), ranks = gmg_context_ranks(report->context),
      threads = gmg_context_threads(report->context);
  gmg_solver_level_info(report->solver, 0, &finest);
  gmg_solver_level_info(report->solver, levels - 1, &coarsest);
  const char *name = gmg_solver_option(report->solver, "operator");
  progress_line(progress, "operator   %s, %d level%s down to %d x %d x %d, %d box%s on the finest",
                name ? name : "?", levels, levels == 1 ? "" : "s", coarsest.cells[0],
                coarsest.cells[1], coarsest.cells[2], finest.boxes, finest.boxes == 1 ? "" : "es");
  summary_owners(progress, report->solver);
  summary_layers(progress, report->solver);
  gmg_backend_info backend;
  if (gmg_solver_backend(report->solver, &backend) == GMG_OK && backend.device)
    progress_line(progress, "device     %s; %d kernels compiled, %d from the cache, %.1f s",
                  backend.device, backend.compiled, backend.cached, backend.attach_seconds);
  if (backend.coarse_from > 0)
    progress_line(progress,
                  "coarse     levels from %d on take %.3g ms on the GPU and %.3g ms on the CPU: "
                  "the %s has them",
                  backend.coarse_from, 1e3 * backend.coarse_seconds[0],
                  1e3 * backend.coarse_seconds[1],
                  backend.coarse_seconds[0] <= backend.coarse_seconds[1] ? "GPU" : "CPU");
  progress_line(progress, "run        %d rank%s x %d thread%s, %s kernels", ranks,
                ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
                gmg_context_isa(report->context));
}

void summary_result(const struct progress *progress, const struct report *report)
{
  const gmg_result *result = report->result;
  const char *sentence;
  char speed[60] = "";
  progress_line(progress, "\nstatus     %s%s%s", gmg_outcome_text(result->outcome),
                result->reason && *result->reason ? ": " : "",
                result->reason ? result->reason : "");
  progress_line(progress, "cycles     %d", result->cycles);
  progress_line(progress, "residual   %.3e of the right side's", result->relative_residual);
  if (result->singular)
    progress_line(progress,
                  "singular   the solution is free up to a constant: its mean is 0; %.3g was taken "
                  "off f, %.2g of its norm",
                  result->projected, report_projected(report));
  if (report->norms->present)
    progress_line(progress, "error      max %.6e, L2 %.6e (relative %.6e)", report->norms->max,
                  report->norms->l2, report->norms->relative);
  if (result->cycles > 0)
    snprintf(speed, sizeof speed, ", %.3g million unknowns per second", 1e-6 * report_rate(report));
  progress_line(progress, "time       setup %.3f s, solve %.3f s%s", result->setup_seconds,
                result->solve_seconds, speed);
  for (int n = 0; (sentence = gmg_solver_fallback(report->solver, n)); n++)
    progress_line(progress, "note       %s", sentence);
}
