#include "hierarchy.h"

#include "problem/arrays.h"
#include "cycle/bottom.h"
#include "coarse_coefficients.h"
#include "problem/cycles.h"
#include "mesh/decompose.h"
#include "cycle/fmg.h"
#include "runtime/level_pair.h"
#include "cycle/measure.h"
#include "problem/kernels.h"
#include "overlap.h"
#include "cycle/precision.h"
#include "cycle/rounding.h"
#include "services.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

static gmg_status out_of_memory(struct gmg_solver *solver)
{
  return gmg_fail(solver->context, GMG_ERR_MEMORY, "out of memory while the levels were planned");
}

/* Room for one level more. */
static int grow(struct gmg_solver *s)
{
  const size_t n = (size_t)s->hierarchy.levels + 1;
  struct gmg_axis(*axis)[3] = gmg_realloc(s->hierarchy.axis, n * sizeof *axis);
  if (!axis)
    return -1;
  s->hierarchy.axis = axis;
  struct gmg_pairing(*pairing)[3] = gmg_realloc(s->hierarchy.pairing, n * sizeof *pairing);
  if (!pairing)
    return -1;
  s->hierarchy.pairing = pairing;
  int(*cells)[3] = gmg_realloc(s->hierarchy.cells, n * sizeof *cells);
  if (!cells)
    return -1;
  s->hierarchy.cells = cells;
  memset(axis[n - 1], 0, sizeof axis[n - 1]);
  memset(pairing[n - 1], 0, sizeof pairing[n - 1]);
  s->hierarchy.levels++;
  return 0;
}

static int64_t note_cells(struct gmg_solver *s, int l)
{
  int64_t count = 1;
  for (int d = 0; d < 3; d++) {
    s->hierarchy.cells[l][d] = s->hierarchy.axis[l][d].cells;
    count *= s->hierarchy.cells[l][d];
  }
  return count;
}

/* Axes and pairings of all levels. */
static gmg_status plan_levels(struct gmg_solver *s)
{
  const int least = gmg_bottom_cells(&s->hierarchy);
  if (grow(s))
    return out_of_memory(s);
  for (int d = 0; d < 3; d++)
    if (gmg_grid_axis(s->problem.grid, d, &s->hierarchy.axis[0][d]))
      return out_of_memory(s);
  for (int d = 0; d < 3; d++)
    s->hierarchy.axis[0][d].weight = 1 / sqrt(s->problem.options.anisotropy[d]);
  while (note_cells(s, s->hierarchy.levels - 1) > least) {
    const int l = s->hierarchy.levels - 1;
    if (grow(s))
      return out_of_memory(s);
    const int coarsened =
      gmg_coarsen(s->hierarchy.axis[l], l, s->hierarchy.axis[l + 1], s->hierarchy.pairing[l]);
    if (coarsened < 0)
      return out_of_memory(s);
    if (!coarsened) {
      s->hierarchy.levels--;
      break;
    }
  }
  s->problem.volume = 1;
  for (int d = 0; d < 3; d++) {
    double length = 0;
    for (int i = 0; i < s->hierarchy.cells[0][d]; i++)
      length += s->hierarchy.axis[0][d].width[i];
    s->problem.volume *= length;
  }
  return GMG_OK;
}

static gmg_status plan_boxes(struct gmg_solver *s)
{
  const struct gmg_comm *comm = &s->context->comm;
  const struct gmg_cutting cutting = {.nominal = s->problem.options.box,
                                      .gather = s->problem.options.gather != GMG_OPTION_AUTO
                                        ? s->problem.options.gather
                                        : s->placement.device ? GMG_GATHER_CELLS_DEVICE
                                                              : GMG_GATHER_CELLS,
                                      .one = gmg_bottom_wants_one_box(&s->hierarchy)};
  s->hierarchy.layout = gmg_calloc((size_t)s->hierarchy.levels, sizeof *s->hierarchy.layout);
  s->hierarchy.staging_layout =
    gmg_calloc((size_t)s->hierarchy.levels, sizeof *s->hierarchy.staging_layout);
  s->hierarchy.level = gmg_calloc((size_t)s->hierarchy.levels, sizeof *s->hierarchy.level);
  if (!s->hierarchy.layout || !s->hierarchy.staging_layout || !s->hierarchy.level
      || gmg_decompose((const struct gmg_pairing(*)[3])s->hierarchy.pairing, s->hierarchy.levels,
                       (const int(*)[3])s->hierarchy.cells, &cutting, comm->rank, comm->ranks,
                       s->hierarchy.layout, s->hierarchy.staging_layout))
    return out_of_memory(s);
  return GMG_OK;
}

/* The finest level in double: that of the cycle, or its twin. */
static struct gmg_level *create_finest(struct gmg_solver *s)
{
  if (!gmg_refines(&s->hierarchy))
    return s->hierarchy.level[0].level;
  const struct gmg_level_form form = {.ghosts = 1,
                                      .rows = s->problem.rows,
                                      .precision = GMG_F64,
                                      .unit = 1,
                                      .unfused_reason = s->hierarchy.level[0].level->unfused_reason,
                                      .twin = s->hierarchy.level[0].level};
  struct gmg_level *finest = gmg_level_create(s->context, &s->memory, 0, &form, s->problem.op,
                                              s->hierarchy.axis[0], s->hierarchy.layout[0]);
  if (finest)
    gmg_precision_scale_level(&s->hierarchy, finest);
  return finest;
}

static gmg_status create_level(struct gmg_solver *s, int l)
{
  struct gmg_cycle_level *level = &s->hierarchy.level[l];
  const int ghosts = l > 0 && gmg_fmg_prepared(&s->hierarchy) ? GMG_FMG_GHOSTS : 1;
  const struct gmg_overlap overlap = gmg_overlap_plan(s, l);
  struct gmg_level_form form = {.ghosts = ghosts,
                                .rows = s->problem.rows,
                                .precision = s->hierarchy.precision,
                                .share = gmg_refines(&s->hierarchy) ? GMG_FIRST : GMG_APART,
                                .unit = s->hierarchy.refinement.unit,
                                .overlap = overlap.depth,
                                .unfused_reason = overlap.unfused_reason};
  level->level = l == 0 && s->hierarchy.finest
    ? s->hierarchy.finest
    : gmg_level_create(s->context, &s->memory, l, &form, s->problem.op, s->hierarchy.axis[l],
                       s->hierarchy.layout[l]);
  form.staging = form.ghosts = 1;
  form.overlap = 0;
  form.unfused_reason = "it only hands values on";
  if (level->level && s->hierarchy.staging_layout[l])
    level->staging = gmg_level_create(s->context, &s->memory, l, &form, s->problem.op,
                                      s->hierarchy.axis[l], s->hierarchy.staging_layout[l]);
  if (!level->level || (s->hierarchy.staging_layout[l] && !level->staging)
      || (l == 0 && !s->hierarchy.finest && !(s->hierarchy.finest = create_finest(s))))
    return gmg_fail(s->context, GMG_ERR_MEMORY,
                    "out of memory (or MPI failed) while level %d was made", l);
  gmg_precision_scale_level(&s->hierarchy, level->level);
  if (level->staging)
    gmg_precision_scale_level(&s->hierarchy, level->staging);
  if (l == 0)
    return GMG_OK;
  struct gmg_cycle_level *fine = &s->hierarchy.level[l - 1];
  return gmg_level_pair(fine->staging ? fine->staging : fine->level, level->level,
                        s->hierarchy.pairing[l - 1]);
}

/* Calls of the solve outside the cycle. */
static gmg_status bind_finest(struct gmg_solver *s)
{
  const struct gmg_binding list[] = {
    {&s->hierarchy.take_density, "integrate", GMG_AS_WRITTEN, {{"x", "u"}, {"y", "f"}}},
    {&s->hierarchy.clear_f, "set", GMG_AS_WRITTEN, {{"y", "f"}}},
    {&s->hierarchy.clear_u, "set", GMG_AS_WRITTEN, {{"y", "u"}}},
    {&s->hierarchy.project, "add_volume", GMG_AS_WRITTEN, {{"y", "f"}}},
    {&s->hierarchy.shift_u, "add_constant", GMG_AS_WRITTEN, {{"y", "u"}}},
    {&s->hierarchy.norm.sum, NULL, GMG_RESIDUAL_NORM, {{NULL, NULL}}},
    {&s->hierarchy.sum_f.sum, "sum", GMG_AS_WRITTEN, {{"x", "f"}}},
    {&s->hierarchy.mean_u.sum, "integral", GMG_AS_WRITTEN, {{"x", "u"}}},
    {&s->hierarchy.norm_of_f.sum, "density_squares", GMG_AS_WRITTEN, {{"x", "f"}}},
    {&s->hierarchy.terms.sum, NULL, GMG_TERMS_NORM, {{NULL, NULL}}},
  };
  const gmg_status status =
    gmg_bind_all(&s->problem, s->hierarchy.finest, list, sizeof list / sizeof *list);
  if (status)
    return status;
  gmg_call_set(s->hierarchy.clear_f, "s", 0);
  gmg_call_set(s->hierarchy.clear_u, "s", 0);
  return gmg_services_bind(s);
}

static gmg_status bind_level(struct gmg_solver *s, int l)
{
  struct gmg_cycle_level *level = &s->hierarchy.level[l];
  const struct gmg_rename zero[] = {{"y", "u"}, {NULL, NULL}};
  gmg_status status =
    gmg_call_keep(gmg_written_kernel(&s->problem, "set"), level->level, NULL, zero, &level->zero);
  if (!status)
    gmg_call_set(level->zero, "s", 0);
  if (!status)
    status = gmg_measure_bind(&s->hierarchy, l);
  if (!status && l == s->hierarchy.levels - 1)
    return gmg_bottom_bind(&s->hierarchy);
  if (!status)
    status = gmg_smooth_bind(&s->hierarchy, l);
  return status ? status : gmg_transfer_bind(&s->hierarchy, l);
}

static gmg_status make_levels(struct gmg_solver *s)
{
  gmg_status status = GMG_OK;
  for (int l = 0; l < s->hierarchy.levels && !status; l++)
    status = gmg_agree(s->context, create_level(s, l));
  for (int l = 0; l < s->hierarchy.levels && !status; l++)
    status = gmg_agree(s->context, bind_level(s, l));
  for (int l = 0; l < s->hierarchy.levels && !status; l++)
    status = gmg_agree(s->context, gmg_coefficients_bind(s, l));
  return status;
}

gmg_status gmg_hierarchy_create(struct gmg_solver *s)
{
  gmg_status status = plan_levels(s);
  if (!status)
    status = plan_boxes(s);
  status = gmg_agree(s->context, status);
  if (!status)
    gmg_precision_plan(&s->hierarchy);
  s->memory.uses = GMG_FIRST;
  if (!status)
    status = make_levels(s);
  if (!status)
    status = gmg_agree(s->context, bind_finest(s));
  if (!status)
    status = gmg_agree(s->context, gmg_precision_bind(&s->hierarchy));
  if (!status) {
    const size_t entries = (size_t)s->problem.options.max_cycles + 1;
    s->report.residual_history = gmg_calloc(entries, sizeof *s->report.residual_history);
    s->report.seconds_history = gmg_calloc(entries, sizeof *s->report.seconds_history);
    status = s->report.residual_history && s->report.seconds_history ? GMG_OK : out_of_memory(s);
    s->report.history = s->problem.options.max_cycles;
    status = gmg_agree(s->context, status);
  }
  if (!status)
    status = gmg_arrays_plan(s);
  return status ? status : gmg_services_plan(s);
}

/* Takes the fields of the cycle's levels. */
static int take_levels(struct gmg_cycle_level *level, int levels)
{
  int failed = 0;
  for (int l = 0; l < levels && level && !failed; l++)
    failed = (level[l].level && gmg_level_take(level[l].level))
      || (level[l].staging && gmg_level_take(level[l].staging));
  return failed;
}

static void rescale_level(const struct gmg_solver *s, struct gmg_level *level)
{
  if (!level)
    return;
  gmg_precision_scale_level(&s->hierarchy, level);
  for (int n = 0; n < level->calls; n++) {
    gmg_call_set(level->call[n], "b", level->b);
    gmg_call_set(level->call[n], "alpha", level->alpha);
  }
}

void gmg_hierarchy_rescale(struct gmg_solver *s)
{
  gmg_precision_rescale(&s->hierarchy);
  for (int l = 0; l < s->hierarchy.levels; l++) {
    const struct gmg_cycle_level *level[2] = {
      &s->hierarchy.level[l], s->hierarchy.other.level ? &s->hierarchy.other.level[l] : NULL};
    for (int n = 0; n < 2 && level[n]; n++) {
      rescale_level(s, level[n]->level);
      rescale_level(s, level[n]->staging);
    }
  }
  rescale_level(s, s->hierarchy.finest);
}

gmg_status gmg_hierarchy_take(struct gmg_solver *s)
{
  const int failed = gmg_level_take(s->hierarchy.finest)
    || take_levels(s->hierarchy.level, s->hierarchy.levels)
    || take_levels(s->hierarchy.other.level, s->hierarchy.levels);
  return gmg_agree(
    s->context,
    failed ? gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for the fields of the levels")
           : GMG_OK);
}

gmg_status gmg_hierarchy_plan_double(struct gmg_solver *s)
{
  if (!gmg_refines(&s->hierarchy))
    return GMG_OK;
  s->hierarchy.other = (struct gmg_cycles){
    .precision = GMG_F64,
    .level = gmg_calloc((size_t)s->hierarchy.levels, sizeof *s->hierarchy.level),
    .refinement = {.unit = 1, .scale = 1, .residual_scale = 1}};
  gmg_status status = gmg_agree(s->context, s->hierarchy.other.level ? GMG_OK : out_of_memory(s));
  if (status)
    return status;
  gmg_cycles_exchange(s);
  s->memory.plans = GMG_SECOND;
  status = make_levels(s);
  if (!status)
    status = gmg_fmg_bind(&s->hierarchy);
  s->memory.plans = GMG_APART;
  gmg_cycles_exchange(s);
  return status;
}

gmg_status gmg_hierarchy_raise(struct gmg_solver *s)
{
  gmg_call_wait(s->context);
  gmg_cycles_exchange(s);
  s->memory.uses = GMG_SECOND;
  gmg_level_begin(s->hierarchy.finest);
  for (int l = 0; l < s->hierarchy.levels; l++) {
    if (l > 0)
      gmg_level_begin(s->hierarchy.level[l].level);
    if (s->hierarchy.level[l].staging)
      gmg_level_begin(s->hierarchy.level[l].staging);
    s->hierarchy.level[l].eigenvalue = s->hierarchy.other.level[l].eigenvalue;
  }
  gmg_backend_raise(s);
  return gmg_coefficients_coarsen(s, GMG_TAKE_ALL);
}
