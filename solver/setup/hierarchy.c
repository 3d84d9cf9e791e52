#include "hierarchy.h"

#include "problem/arrays.h"
#include "cycle/bottom.h"
#include "problem/choices.h"
#include "coarse_coefficients.h"
#include "mesh/decompose.h"
#include "finest.h"
#include "cycle/fmg.h"
#include "runtime/level_pair.h"
#include "problem/kernels.h"
#include "overlap.h"
#include "mesh/merge.h"
#include "owned_fields.h"
#include "own_fields.h"
#include "cycle/precision.h"
#include "placement.h"
#include "services.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

static gmg_status out_of_memory(gmg_solver *solver)
{
  return gmg_no_memory(solver->context, "while the levels were planned");
}

/* Room for one level more. */
static int grow(struct gmg_hierarchy *h)
{
  const size_t n = (size_t)h->levels + 1;
  struct gmg_axis(*axis)[3] = gmg_realloc(h->axis, n * sizeof *axis);
  h->axis = axis ? axis : h->axis;
  struct gmg_pairing(*pairing)[3] = gmg_realloc(h->pairing, n * sizeof *pairing);
  h->pairing = pairing ? pairing : h->pairing;
  int(*cells)[3] = gmg_realloc(h->cells, n * sizeof *cells);
  h->cells = cells ? cells : h->cells;
  if (!axis || !pairing || !cells)
    return -1;
  memset(axis[n - 1], 0, sizeof axis[n - 1]);
  memset(pairing[n - 1], 0, sizeof pairing[n - 1]);
  h->levels++;
  return 0;
}

static int64_t note_cells(struct gmg_hierarchy *h, int l)
{
  int64_t count = 1;
  for (int d = 0; d < 3; d++) {
    h->cells[l][d] = h->axis[l][d].cells;
    count *= h->cells[l][d];
  }
  return count;
}

/* Axes and pairings of all levels. */
static gmg_status plan_levels(gmg_solver *s)
{
  struct gmg_problem *p = &s->problem;
  struct gmg_hierarchy *h = &s->hierarchy;
  const int least = gmg_bottom_cells(h);
  if (grow(h))
    return out_of_memory(s);
  for (int d = 0; d < 3; d++)
    if (gmg_grid_axis(p->grid, d, &h->axis[0][d]))
      return out_of_memory(s);
  for (int d = 0; d < 3; d++)
    h->axis[0][d].weight = 1 / sqrt(p->strength[d]);
  h->merge = GMG_MERGE_WIDTH;
  if (p->options.smoother == GMG_SMOOTH_GSRB && gmg_merge_width(h->axis[0], &h->merge))
    return out_of_memory(s);
  while (note_cells(h, h->levels - 1) > least) {
    const int l = h->levels - 1;
    if (grow(h))
      return out_of_memory(s);
    const int coarsened = h->owners
      ? gmg_owned_coarsen(h, l)
      : gmg_coarsen(h->axis[l], l, h->merge, h->axis[l + 1], h->pairing[l]);
    if (coarsened < 0)
      return out_of_memory(s);
    if (!coarsened) {
      h->levels--;
      break;
    }
  }
  p->volume = 1;
  for (int d = 0; d < 3; d++) {
    double length = 0;
    for (int i = 0; i < h->cells[0][d]; i++)
      length += h->axis[0][d].width[i];
    p->volume *= length;
  }
  return GMG_OK;
}

static gmg_status plan_boxes(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_comm *comm = &s->context->comm;
  const struct gmg_cutting cutting = {.nominal = s->problem.options.box,
                                      .gather = s->problem.options.gather != GMG_OPTION_AUTO
                                        ? s->problem.options.gather
                                        : s->placement.device ? GMG_GATHER_CELLS_DEVICE
                                                              : GMG_GATHER_CELLS,
                                      .one = gmg_bottom_levels_in_one_box(h)};
  h->layout = gmg_calloc((size_t)h->levels, sizeof *h->layout);
  h->staging_layout = gmg_calloc((size_t)h->levels, sizeof *h->staging_layout);
  h->level = gmg_calloc((size_t)h->levels, sizeof *h->level);
  if (!h->layout || !h->staging_layout || !h->level
      || gmg_decompose((const struct gmg_pairing(*)[3])h->pairing, h->levels,
                       (const int(*)[3])h->cells, &cutting, comm->rank, comm->ranks, h->layout,
                       h->staging_layout))
    return out_of_memory(s);
  return GMG_OK;
}

/* The finest level in double: that of the cycle, or its twin. */
static struct gmg_level *create_finest(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (!gmg_refines(h))
    return h->level[0].level;
  const struct gmg_level_form form = {.ghosts = 1,
                                      .rows = s->problem.rows,
                                      .precision = GMG_F64,
                                      .unit = 1,
                                      .unfused_reason = h->level[0].level->unfused_reason,
                                      .may_pass = h->level[0].level->may_pass,
                                      .choice = h->level[0].choice,
                                      .twin = h->level[0].level};
  struct gmg_level *finest =
    gmg_level_create(s->context, &s->memory, 0, &form, s->problem.op, h->axis[0], h->layout[0]);
  if (finest)
    gmg_precision_scale_level(h, finest);
  return finest;
}

/* A level of the cycle. Owners, and operators with them, are in single precision, which kernels in
 * double read, too: on `single`, that of the cycles before, or on a level that is kept for them. */
static struct gmg_level *create_cycle_level(gmg_solver *s, int l, const struct gmg_level_form *form,
                                            struct gmg_level *single, struct gmg_layout *layout)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_operator_descriptor *op = l == 0 ? s->problem.op : h->coarse_op;
  struct gmg_level_form with = *form;
  with.twin = single;
  struct gmg_level *level =
    gmg_level_create(s->context, &s->memory, l, &with, op, h->axis[l], layout);
  if (level && h->owners && form->precision == GMG_F64 && !single
      && gmg_level_keep_twin(level, form))
    gmg_level_destroy(&level);
  return level;
}

static gmg_status create_level(gmg_solver *s, int l)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  struct gmg_cycle_level *level = &h->level[l];
  const struct gmg_cycle_level *before = h->other.level ? &h->other.level[l] : NULL;
  const int ghosts = l > 0 && gmg_fmg_prepared(h) ? GMG_FMG_GHOSTS : 1;
  const struct gmg_overlap overlap = gmg_overlap_plan(s, l);
  struct gmg_level_form form = {.ghosts = ghosts,
                                .rows = s->problem.rows,
                                .precision = h->precision,
                                .share = gmg_refines(h) ? GMG_FIRST : GMG_APART,
                                .unit = h->refinement.unit,
                                .overlap = overlap.depth,
                                .unfused_reason = overlap.unfused_reason,
                                .may_pass = overlap.may_pass,
                                .choice = level->choice,
                                .lender = before ? before->level : NULL};
  level->level = l == 0 && h->finest
    ? h->finest
    : create_cycle_level(s, l, &form, h->owners && before ? before->level : NULL, h->layout[l]);
  form.staging = !h->owners; /* their transfers read ghosts */
  form.ghosts = 1;
  form.overlap = 0;
  form.unfused_reason = "it only hands values on";
  form.may_pass = 0;
  form.lender = before ? before->staging : NULL;
  if (level->level && h->staging_layout[l])
    level->staging = create_cycle_level(s, l, &form, h->owners && before ? before->staging : NULL,
                                        h->staging_layout[l]);
  if (!level->level || (h->staging_layout[l] && !level->staging)
      || (l == 0 && !h->finest && !(h->finest = create_finest(s))))
    return gmg_no_memory(s->context, "(or MPI failed) while level %d was made", l);
  gmg_status status = gmg_own_create(s, level->level, &level->mirror);
  if (!status && l == 0)
    status = gmg_own_create(s, h->finest, NULL);
  if (status)
    return status;
  gmg_precision_scale_level(h, level->level);
  if (level->staging)
    gmg_precision_scale_level(h, level->staging);
  if (l == 0)
    return GMG_OK;
  struct gmg_level *fine = gmg_partner(&h->level[l - 1]);
  status = gmg_level_pair(fine, level->level, h->pairing[l - 1]);
  return status || !h->owners ? status
                              : gmg_level_pair_around(fine, level->level, h->pairing[l - 1]);
}

/* Calls of the solve outside the cycle. */
static gmg_status bind_finest(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_binding list[] = {
    {&h->take_density, "integrate", {{"x", "u"}, {"y", "f"}}},
    {&h->clear_f, "set", {{"y", "f"}}},
    {&h->clear_u, "set", {{"y", "u"}}},
    {&h->project, "add_volume", {{"y", "f"}}},
    {&h->shift_u, "add_constant", {{"y", "u"}}},
    {&h->norm.sum, "residual_norm", {{NULL, NULL}}},
    {&h->sum_f.sum, "sum", {{"x", "f"}}},
    {&h->mean_u.sum, "integral", {{"x", "u"}}},
    {&h->norm_of_f.sum, "density_squares", {{"x", "f"}}},
    {&h->terms.sum, "terms_norm", {{NULL, NULL}}},
  };
  const gmg_status status = gmg_bind_all(&s->problem, h->finest, list, GMG_LENGTH(list));
  return status ? status : gmg_services_bind(s);
}

static gmg_status bind_level(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *level = &h->level[l];
  const struct gmg_binding list[] = {
    {&level->zero, "set", {{"y", "u"}}},
    {&level->norm.sum, "residual_norm", {{NULL, NULL}}},
    {&level->zero_f, "set", {{"y", "f"}}},
  };
  gmg_status status = gmg_bind_all(h->problem, level->level, list, GMG_LENGTH(list));
  if (!status && l == h->levels - 1)
    return gmg_bottom_bind(h);
  if (!status)
    status = gmg_smooth_bind(h, l);
  return status ? status : gmg_transfer_bind(h, l);
}

static gmg_status make_levels(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  gmg_choices_find(s);
  for (int l = 0; l < h->levels && !status; l++)
    status = gmg_agree(s->context, create_level(s, l));
  for (int l = 0; l < h->levels && !status; l++)
    status = gmg_agree(s->context, bind_level(h, l));
  for (int l = 0; l < h->levels && !status; l++)
    status = gmg_agree(s->context, gmg_coefficients_bind(s, l));
  return status;
}

gmg_status gmg_hierarchy_create(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  h->coarse_op = h->owners ? gmg_context_operator(s->context, "linked27") : s->problem.op;
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
  if (!status)
    status = gmg_services_plan(s);
  return status ? status : gmg_finest_bind(s);
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

static void rescale_level(const struct gmg_hierarchy *h, struct gmg_level *level)
{
  if (!level)
    return;
  gmg_precision_scale_level(h, level);
  for (int n = 0; n < level->calls; n++) {
    gmg_call_set(level->call[n], GMG_SCALAR_B, level->b);
    gmg_call_set(level->call[n], GMG_SCALAR_ALPHA, level->alpha);
  }
}

void gmg_hierarchy_rescale(struct gmg_hierarchy *h)
{
  gmg_precision_rescale(h);
  for (int l = 0; l < h->levels; l++) {
    rescale_level(h, h->level[l].level);
    rescale_level(h, h->level[l].staging);
    if (h->other.level) {
      rescale_level(h, h->other.level[l].level);
      rescale_level(h, h->other.level[l].staging);
    }
  }
  rescale_level(h, h->finest);
}

gmg_status gmg_hierarchy_take(struct gmg_hierarchy *h)
{
  const int failed = gmg_level_take(h->finest) || take_levels(h->level, h->levels)
    || take_levels(h->other.level, h->levels);
  return gmg_agree(h->context,
                   failed ? gmg_no_memory(h->context, "for the fields of the levels") : GMG_OK);
}

gmg_status gmg_hierarchy_plan_double(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (!gmg_refines(h))
    return GMG_OK;
  h->other = (struct gmg_cycles){.precision = GMG_F64,
                                 .level = gmg_calloc((size_t)h->levels, sizeof *h->level),
                                 .refinement = {.unit = 1, .scale = 1, .residual_scale = 1}};
  gmg_status status = gmg_agree(s->context, h->other.level ? GMG_OK : out_of_memory(s));
  if (status)
    return status;
  gmg_cycles_exchange(h);
  s->memory.plans = GMG_SECOND;
  status = make_levels(s);
  if (!status)
    status = gmg_fmg_bind(h);
  s->memory.plans = GMG_APART;
  gmg_cycles_exchange(h);
  return status;
}

gmg_status gmg_hierarchy_raise(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_call_wait(s->context);
  gmg_cycles_exchange(h);
  s->memory.uses = GMG_SECOND;
  gmg_level_begin(h->finest);
  for (int l = 0; l < h->levels; l++) {
    if (l > 0)
      gmg_level_begin(h->level[l].level);
    if (h->level[l].staging)
      gmg_level_begin(h->level[l].staging);
    h->level[l].eigenvalue = h->other.level[l].eigenvalue;
  }
  gmg_placement_raise(s);
  return gmg_coefficients_coarsen(s, GMG_TAKE_ALL);
}
