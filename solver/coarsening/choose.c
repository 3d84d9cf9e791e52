#include "choose.h"

#include "cycle/bottom.h"
#include "cycle/precision.h"
#include "layers.h"
#include "mesh/decompose.h"
#include "setup/coefficients.h"
#include "setup/owned_fields.h"
#include "setup/owned_links.h"
#include "setup/there.h"

#include <string.h>

/* Why a problem cannot have owners, whatever β is; NULL: it can. */
static const char *reason_against(const gmg_solver *s)
{
  const struct gmg_problem *p = &s->problem;
  if (strcmp(p->op->name, "variable7") != 0)
    return "they follow beta of operator variable7, which this problem does not have";
  if (p->options.cycle == GMG_CYCLE_FMG)
    return "full multigrid starts from grids that average beta: set cycle to auto, v, w or f";
  if (p->options.interpolation == GMG_INTERPOLATE_LINEAR)
    return "their interpolation is constant: leave interpolation to auto";
  return NULL;
}

/* Whether the options say how strong couplings along x, y and z are. */
static int strength_is_given(const gmg_solver *s)
{
  return s->problem.options.anisotropy[0] != GMG_OPTION_AUTO;
}

/* Whether the options that owners would overrule leave the choice to the solver. */
static int may_choose(const gmg_solver *s)
{
  return s->problem.options.interpolation == GMG_INTERPOLATE_AUTO && !strength_is_given(s);
}

/* Strengths as the options say, or all alike; whole corrections. */
static void begin(gmg_solver *s)
{
  s->problem.correction = 1;
  for (int d = 0; d < 3; d++)
    s->problem.strength[d] = strength_is_given(s) ? s->problem.options.anisotropy[d] : 1;
}

static gmg_status out_of_memory(gmg_solver *s)
{
  return gmg_no_memory(s->context, "(or MPI failed) while beta was looked at");
}

/* One level in double, for a look at its coefficients. */
struct look {
  struct gmg_axis axis[1][3];
  struct gmg_pairing pairing[1][3];
  int cells[1][3];
  struct gmg_layout *layout[1], *staging[1];
};

static gmg_status make_level(gmg_solver *s, struct look *look)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_comm *comm = &s->context->comm;
  const struct gmg_cutting cutting = {.gather = GMG_GATHER_CELLS};
  const struct gmg_level_form form = {.ghosts = 1,
                                      .rows = s->problem.rows,
                                      .precision = GMG_F64,
                                      .unit = 1,
                                      .unfused_reason = "it is only looked at"};
  for (int d = 0; d < 3; d++) {
    if (gmg_grid_axis(s->problem.grid, d, &look->axis[0][d]))
      return out_of_memory(s);
    look->cells[0][d] = look->axis[0][d].cells;
  }
  h->axis = look->axis;
  h->cells = look->cells;
  if (gmg_decompose((const struct gmg_pairing(*)[3])look->pairing, 1, (const int(*)[3])look->cells,
                    &cutting, comm->rank, comm->ranks, look->layout, look->staging))
    return out_of_memory(s);
  h->finest = gmg_level_create(s->context, &s->memory, 0, &form, s->problem.op, look->axis[0],
                               look->layout[0]);
  if (!h->finest)
    return out_of_memory(s);
  gmg_precision_scale_level(h, h->finest);
  int failed = !s->problem.uniform_alpha && !gmg_level_field(h->finest, GMG_NAME_ALPHA);
  for (int d = 0; d < 3; d++)
    failed |= !gmg_level_field(h->finest, GMG_NAME_BETA_I + d);
  return failed ? out_of_memory(s) : GMG_OK;
}

/* Plans owners from the coefficients that are given, which stay for setup to take in. */
static gmg_status plan_from_given(gmg_solver *s, struct gmg_owner_plan **plan)
{
  struct look look = {.layout = {NULL}};
  const struct gmg_hierarchy kept = s->hierarchy;
  const enum gmg_rows rows = s->problem.rows;
  struct gmg_hierarchy *h = &s->hierarchy;
  *h = (struct gmg_hierarchy){
    .context = kept.context, .problem = kept.problem, .memory = kept.memory, .levels = 1};
  *plan = NULL;
  s->problem.keeps_given = 1;
  s->problem.rows = GMG_PLAIN; /* so they are read where they are */
  gmg_status status = gmg_agree(s->context, make_level(s, &look));
  if (!status)
    status = gmg_coefficients_finest_beta(s);
  if (!status && !s->problem.uniform_alpha)
    status = gmg_coefficients_finest_alpha(s);
  if (!status)
    status = gmg_owned_plan(s, h->finest, NULL, plan);
  s->problem.keeps_given = 0;
  s->problem.rows = rows;
  gmg_level_destroy(&h->finest);
  gmg_layout_destroy(&look.layout[0]);
  for (int d = 0; d < 3; d++)
    gmg_axis_clear(&look.axis[0][d]);
  s->hierarchy = kept;
  return status;
}

/* Whether the options leave it to the solver to take levels with owners, or not. */
static int is_automatic(const gmg_solver *s)
{
  return s->problem.options.coarsening == GMG_COARSENING_AUTO;
}

static const char plans_owners[] = "plans owners from them";

/* Whether plain cycles are so slow, where β has many steps, that owners pay; and how much of plain
 * corrections is taken. */
static gmg_status try(gmg_solver *s, const struct gmg_coarsening_look *look,
                      gmg_coarsening_trial *trial, int *wanted)
{
  struct gmg_kinds *kinds = &s->problem.kinds;
  struct gmg_coarsening_found found = {.factor = 0, .correction = 1};
  const gmg_status status = look->many ? trial(s, look->lower, look->upper, &found) : GMG_OK;
  *wanted = found.slow;
  *kinds = (struct gmg_kinds){.factor = *wanted ? found.factor : 0, .again = kinds->again};
  if (*wanted || found.correction == 1)
    return status;
  s->problem.correction = found.correction;
  gmg_report_fallback(&s->report,
                      "coarsening auto: cycles take %g of each correction, which on some of the "
                      "cells reduced the residual faster than whole ones (a factor %.2f a cycle)",
                      found.correction, found.factor);
  return status;
}

/* Whether owners are asked for. */
static gmg_status want(const gmg_solver *s, int *wanted)
{
  const int asked = s->problem.options.coarsening == GMG_COARSENING_OWNERS;
  const char *reason = reason_against(s);
  *wanted = asked && !reason;
  return asked && reason
    ? gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "coarsening: no owners here: %s", reason)
    : GMG_OK;
}

int gmg_coarsening_chooses(const gmg_solver *s)
{
  return is_automatic(s) && !reason_against(s) && may_choose(s);
}

gmg_status gmg_coarsening_choose(gmg_solver *s, gmg_coarsening_trial *trial)
{
  struct gmg_owner_plan *plan = NULL;
  struct gmg_coarsening_look look = {.many = 0};
  const int chooses = gmg_coarsening_chooses(s), turned = s->problem.kinds.turned;
  int wanted = 0;
  gmg_owned_drop(s);
  begin(s);
  gmg_status status = want(s, &wanted);
  if (!status && !strength_is_given(s))
    status = gmg_coarsening_look(s, chooses && !turned, &look);
  if (!status)
    gmg_layers_strength(&look, s->problem.strength);
  if (chooses && turned)
    wanted = s->problem.kinds.owners;
  else if (!status && chooses)
    status = try(s, &look, trial, &wanted);
  if (wanted) /* their plan sees by itself what couples weakly */
    begin(s);
  if (!status && wanted)
    status = gmg_there_bring_all(s, plans_owners);
  if (!status && wanted)
    status = plan_from_given(s, &plan);
  s->hierarchy.owners = plan;
  return status;
}

gmg_status gmg_coarsening_expect(gmg_solver *s)
{
  int wanted = 0, failed = 0;
  gmg_owned_drop(s);
  begin(s);
  struct gmg_axis axis[3] = {{0}};
  gmg_status status = want(s, &wanted);
  for (int d = 0; d < 3 && wanted; d++)
    failed |= gmg_grid_axis(s->problem.grid, d, &axis[d]);
  if (!status && wanted && !failed)
    s->hierarchy.owners = gmg_owners_expect(axis, gmg_bottom_cells(&s->hierarchy), NULL);
  for (int d = 0; d < 3; d++)
    gmg_axis_clear(&axis[d]);
  if (!status && wanted && !s->hierarchy.owners)
    status = out_of_memory(s);
  return gmg_agree(s->context, status);
}
