#include "problem/solver.h"

#include "cycle/bottom.h"
#include "cycle/precision.h"
#include "setup/owned_fields.h"

#include <string.h>

static const char *backend_of(const gmg_solver *solver)
{
  return solver->placement.backend ? solver->placement.backend->name : "openmp";
}

int gmg_solver_levels(const gmg_solver *solver)
{
  return solver ? solver->hierarchy.levels : 0;
}

static gmg_status check_level(const gmg_solver *solver, int level)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (!solver->set_up)
    return gmg_fail(solver->context, GMG_ERR_ORDER, "levels are known after gmg_solver_setup");
  if (level < 0 || level >= solver->hierarchy.levels)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "there is no level %d; levels are 0 to %d",
                    level, solver->hierarchy.levels - 1);
  return GMG_OK;
}

gmg_status gmg_solver_level_info(const gmg_solver *solver, int level, gmg_level_info *info)
{
  const struct gmg_hierarchy *h = &solver->hierarchy;
  const gmg_status status = check_level(solver, level);
  if (status)
    return status;
  if (!info)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "gmg_solver_level_info: info is NULL");
  const struct gmg_layout *layout = h->layout[level];
  const struct gmg_cycle_level *own = &h->level[level];
  memcpy(info->cells, h->cells[level], sizeof info->cells);
  info->boxes = layout->count;
  const struct gmg_call *call = own->smooth[0] ? own->smooth[0] : own->zero;
  const struct gmg_placement *p = &solver->placement;
  const int on_device = p->attached && level < p->host_from;
  info->unfused_reason =
    on_device && call->by_device && call->in_passes ? NULL : own->level->unfused_reason;
  info->moved = 0;
  for (int n = 0; n < GMG_PARTS; n++)
    info->moved += gmg_level_part(own, n) ? gmg_level_part(own, n)->moved : 0;
  info->backend = on_device ? p->backend->name : "openmp";
  info->tail = on_device && call->by_device && call->in_tail;
  info->choice = on_device ? NULL : gmg_choice_write(&own->level->choice, own->level->choice_text);
  gmg_owned_counts(h, level, &info->given_away, &info->forced);
  info->ranks = 0;
  for (int b = 0; b < layout->count; b++) /* owners do not decrease with the index */
    info->ranks += b == 0 || layout->box[b].rank != layout->box[b - 1].rank;
  return GMG_OK;
}

int gmg_solver_kernels(const gmg_solver *solver, int level)
{
  if (check_level(solver, level))
    return 0;
  const struct gmg_level *own = solver->hierarchy.level[level].level;
  return gmg_level_stats(own) + (own->twin ? gmg_level_stats(own->twin) : 0);
}

gmg_status gmg_solver_kernel_info(const gmg_solver *solver, int level, int index,
                                  gmg_kernel_info *info)
{
  const gmg_status status = check_level(solver, level);
  if (status)
    return status;
  if (!info || index < 0 || index >= gmg_solver_kernels(solver, level))
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "level %d has no kernel %d", level, index);
  struct gmg_level *own =
    solver->hierarchy.level[level].level; /* and in mixed precision the finest one in double */
  const struct gmg_kernel_stat *stat = index < gmg_level_stats(own)
    ? gmg_level_stat(own, index)
    : gmg_level_stat(own->twin, index - gmg_level_stats(own));
  const struct gmg_kernel_descriptor *kernel = stat->kernel;
  *info = (gmg_kernel_info){.name = kernel ? kernel->name : "exchange",
                            .variant = kernel ? kernel->variant : "",
                            .backend = stat->by_device ? backend_of(solver) : "openmp",
                            .choice = stat->choice,
                            .bits = kernel && kernel->precision == GMG_F32 ? 32 : 64,
                            .seconds = stat->seconds,
                            .calls = stat->calls,
                            .bytes = stat->bytes,
                            .moved = stat->moved,
                            .flops = stat->flops,
                            .fused = stat->fused,
                            .touched = stat->touched};
  return GMG_OK;
}

int64_t gmg_solver_bytes(const gmg_solver *solver)
{
  return solver ? solver->memory.bytes : 0;
}

gmg_status gmg_solver_memory(const gmg_solver *solver, gmg_memory_info *memory)
{
  if (!solver || !memory)
    return GMG_ERR_ARGUMENT;
  *memory = (gmg_memory_info){solver->memory.predicted, solver->memory.peak, solver->memory.bytes};
  return GMG_OK;
}

gmg_status gmg_solver_backend(const gmg_solver *solver, gmg_backend_info *info)
{
  if (!solver || !info)
    return GMG_ERR_ARGUMENT;
  const struct gmg_placement *p = &solver->placement;
  *info = (gmg_backend_info){.backend = backend_of(solver),
                             .device = p->device ? p->name : NULL,
                             .chosen = p->device ? p->chosen : NULL,
                             .why = p->why,
                             .exchanges = p->exchanges,
                             .coarse_from = p->coarse_settled ? p->coarse_from : 0,
                             .coarse_seconds = {p->coarse_seconds[0], p->coarse_seconds[1]},
                             .memory = {p->predicted, p->peak, p->bytes},
                             .attach_seconds = p->attach_seconds,
                             .compiled = p->compiled,
                             .cached = p->cached};
  if (p->backend)
    p->backend->copied(info->copied);
  return GMG_OK;
}

const char *gmg_solver_fallback(const gmg_solver *solver, int index)
{
  return solver && index >= 0 && index < solver->report.fallbacks ? solver->report.fallback[index]
                                                                  : NULL;
}

/* What the solver chose where an option was left to it. */
static const char *chosen(const gmg_solver *solver, const char *name)
{
  const struct gmg_hierarchy *h = &solver->hierarchy;
  if (strcmp(name, "operator") == 0 && solver->problem.op)
    return solver->problem.op->name;
  if (strcmp(name, "interpolation") == 0 && solver->set_up)
    return h->interpolation == GMG_INTERPOLATE_LINEAR ? "linear" : "constant";
  if (strcmp(name, "coarsening") == 0 && solver->set_up)
    return h->owners ? "owners" : "plain";
  if (strcmp(name, "precision") == 0 && solver->set_up)
    return gmg_refines(h) ? "mixed" : "double";
  if (strcmp(name, "method") == 0)
    return "multigrid";
  if (strcmp(name, "krylov") == 0)
    return solver->krylov.on ? "cg" : "none";
  if (strcmp(name, "backend") == 0)
    return backend_of(solver);
  if (strcmp(name, "coarse") == 0)
    return solver->placement.device && solver->placement.host_from == h->levels ? "gpu" : "cpu";
  if (strcmp(name, "coarse-cells") == 0 && solver->placement.device)
    return "262144";
  if (strcmp(name, "bottom") == 0)
    return gmg_bottom_text(h);
  return "auto";
}

/* The value's text, whose room is the solver's; NULL: there is no such option. */
static const char *text_of(const gmg_solver *solver, const struct gmg_options *options,
                           const char *name)
{
  struct gmg_report *report = (struct gmg_report *)&solver->report;
  const int none = gmg_options_text(options, name, report->option_text, sizeof report->option_text);
  return none ? NULL : report->option_text;
}

const char *gmg_solver_option(const gmg_solver *solver, const char *name)
{
  if (!solver || !name)
    return NULL;
  struct gmg_options options = solver->problem.options;
  const char *text = text_of(solver, &options, name);
  if (!text || strcmp(text, "auto") != 0)
    return text;
  const int is_known = strcmp(name, "omega") == 0 || strcmp(name, "anisotropy") == 0;
  options.omega = solver->hierarchy.omega;
  memcpy(options.anisotropy, solver->problem.strength, sizeof options.anisotropy);
  return is_known && solver->set_up ? text_of(solver, &options, name) : chosen(solver, name);
}

const char *gmg_solver_option_given(const gmg_solver *solver, const char *name)
{
  struct gmg_options initial;
  char usual[sizeof solver->report.option_text];
  if (!solver || !name)
    return NULL;
  gmg_options_default(&initial);
  const char *given = text_of(solver, &solver->problem.options, name);
  return given && !gmg_options_text(&initial, name, usual, sizeof usual)
      && strcmp(usual, given) != 0
    ? given
    : NULL;
}
