/* gmg_solver_setup and gmg_solver_predict: plans, and takes coefficients in. */
#include "problem/solver.h"

#include "coarsening/choose.h"
#include "coarsening/repeated.h"
#include "setup/coarse.h"
#include "setup/coefficients.h"
#include "setup/finest.h"
#include "setup/intake.h"
#include "cycle/bottom.h"
#include "cycle/fmg.h"
#include "fourier/fourier.h"
#include "setup/hierarchy.h"
#include "setup/owned_fields.h"
#include "setup/placement.h"
#include "setup/there.h"
#include "method/krylov.h"
#include "method/refine.h"
#include "system/threads.h"
#include "cycle/precision.h"
#include "setup/overlap.h"
#include "setup/predict.h"
#include "setup/steps.h"
#include "runtime/tuned.h"
#include "problem/record.h"
#include "problem/same.h"
#include "trial.h"

/* Levels, calls and fields as they will be, the fields not taken yet. */
static gmg_status plan_once(gmg_solver *s, int64_t arrays)
{
  gmg_status status = s->placement.device ? GMG_OK : gmg_predict_check_least(s);
  if (status)
    return status;
  s->memory.planning = 1;
  status = gmg_hierarchy_create(s);
  if (!status)
    status = gmg_agree(s->context, gmg_krylov_bind(s)); /* where a jump is in sight */
  if (!status)
    status = gmg_fmg_bind(&s->hierarchy);
  if (!status)
    status = gmg_hierarchy_plan_double(s);
  if (!status)
    status = gmg_fourier_plan(s);
  if (!status)
    status = gmg_overlap_bind(s);
  s->memory.planning = 0;
  if (!status)
    status = gmg_placement_list(s);
  if (status)
    return status;
  s->memory.predicted = gmg_predict_peak(s);
  if (s->memory.predicted < s->memory.peak) /* while owners were planned */
    s->memory.predicted = s->memory.peak;
  const int64_t all = s->memory.predicted + arrays;
  const int placed = s->placement.device != NULL;
  status = gmg_placement_predict(s);
  if (status || (placed && !s->placement.device)) /* the CPU computes after all: planned anew */
    return status;
  return gmg_predict_check(s, all - s->memory.bytes, all);
}

/* `auto` takes the precision that needs less memory where only that may be had. */
static gmg_status plan(gmg_solver *s, int64_t arrays)
{
  s->hierarchy.no_single = 0;
  const int placed = s->placement.device != NULL;
  gmg_status status = gmg_tuned_open(s->context);
  if (!status)
    status = plan_once(s, arrays);
  if (!status && placed
      && !s->placement.device) { /* the CPU computes after all: levels are planned for it */
    gmg_hierarchy_destroy(s);
    status = plan_once(s, arrays);
  }
  if (status != GMG_ERR_MEMORY || s->problem.options.precision != GMG_PRECISION_AUTO
      || !gmg_refines(&s->hierarchy))
    return status;
  gmg_hierarchy_destroy(s);
  s->hierarchy.no_single = 1;
  status = plan_once(s, arrays);
  if (!status)
    gmg_refine_note(s, "for want of memory");
  return status;
}

/* Adds a sentence to the fallbacks, unless it is empty. */
static void note(gmg_solver *s, const char *sentence)
{
  if (sentence[0])
    gmg_report_fallback(&s->report, "%s", sentence);
}

/* Where the device is to compute the levels' coefficients, it gets the levels first; the host's
 * memory of them comes when it is touched. */
static gmg_status attach_first(gmg_solver *s)
{
  if (!gmg_finest_planned(s))
    return GMG_OK;
  s->memory.reserves = 1;
  gmg_status status = gmg_hierarchy_take(&s->hierarchy);
  s->placement.coefficients_there = 1;
  if (!status)
    status = gmg_placement_attach(s);
  s->placement.coefficients_there = 0;
  s->memory.reserves = 0;
  return status;
}

static gmg_status setup_all(gmg_solver *s)
{
  if (s->problem.uniform_alpha)
    gmg_given_release(&s->problem.given[GMG_ALPHA]);
  gmg_status status = gmg_placement_choose(s);
  if (!status)
    status = gmg_steps_count(s);
  if (!status)
    status = gmg_coarsening_choose(s, gmg_trial);
  if (!status)
    status = plan(s, 0);
  if (!status)
    note(s, s->context->tuned->note);
  if (!status)
    status = attach_first(s);
  if (!status && !s->placement.attached)
    status = gmg_there_bring_all(s, "computes those of the levels");
  if (!status)
    status = gmg_coefficients_compute(s, GMG_TAKE_ALL);
  if (!status)
    status = gmg_agree(s->context, gmg_krylov_bind(s)); /* now the jump is measured */
  if (!status)
    status = gmg_fmg_boundary(&s->hierarchy);
  if (!status)
    status = s->placement.attached ? gmg_placement_renew(s) : gmg_placement_attach(s);
  if (!status)
    status = gmg_fourier_take(s);
  return status ? status : gmg_coarse_choose(s);
}

/* Whether any level has values that a or α is part of. */
static int stores_alpha(const struct gmg_hierarchy *h)
{
  int stores = h->bottom.method == GMG_BOTTOM_DIRECT
    || h->problem->op->boundary == GMG_GHOST_FORMULAS || h->owners != NULL;
  for (int l = 0; l < h->levels; l++)
    stores |= gmg_level_find(h->level[l].level, GMG_NAME_ALPHA)
      || gmg_level_find(h->level[l].level, GMG_NAME_DINV);
  return stores;
}

/* New values on the levels that there are. */
static gmg_status take_in(gmg_solver *s, int take)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const int binds =
    s->problem.singular && h->levels > 1 && gmg_fmg_prepared(h) && !h->level[0].project_coarse;
  gmg_call_wait(s->context);
  if (take == GMG_TAKE_ALPHA && !binds && !stores_alpha(h)) {
    h->measured.known = 0;
    gmg_hierarchy_rescale(h);
    gmg_bottom_renew(h);
    return GMG_OK;
  }
  gmg_status status = GMG_OK;
  if (!gmg_finest_on_device(s)) {
    gmg_placement_detach(s, GMG_KEEP_COEFFICIENTS);
    status = gmg_there_bring_all(s, "computes those of the levels");
    const int64_t again = gmg_predict_again(s);
    s->memory.predicted = again > s->memory.predicted ? again : s->memory.predicted;
  }
  gmg_hierarchy_rescale(h);
  if (!status)
    status = gmg_coefficients_compute(s, take);
  if (!status) /* the new coefficients may jump where the old ones did not */
    status = gmg_agree(s->context, gmg_krylov_bind(s));
  if (!status)
    status = gmg_fmg_bind_projection(h);
  if (!status && h->other.level) {
    gmg_cycles_exchange(h);
    status = gmg_fmg_bind_projection(h);
    gmg_cycles_exchange(h);
  }
  if (!status && (take & GMG_TAKE_BETA || s->problem.op->boundary == GMG_GHOST_FORMULAS))
    status = gmg_fmg_boundary(h);
  if (!status)
    status = s->placement.attached ? gmg_placement_renew(s) : gmg_placement_attach(s);
  return status ? status : gmg_fourier_renew(s);
}

static gmg_status refuse_lost(gmg_solver *s, int lost, int same)
{
  const char *const name = lost & GMG_TAKE_BETA ? "beta"
    : lost & GMG_TAKE_ALPHA                     ? "alpha"
                                                : "every field of its own";
  if (!same)
    return gmg_fail(
      s->context, GMG_ERR_ORDER,
      "a alpha became uniform or stopped being so: then gmg_solver_setup needs %s again too", name);
  return gmg_fail(s->context, GMG_ERR_ORDER,
                  "another %s needs %s, which was copied and is gone: set it again and call "
                  "gmg_solver_setup, or borrow it",
                  lost & GMG_TAKE_BETA ? "b" : "a", name);
}

/* New values on the levels that there are, where the same kernels run on them; else all levels
 * anew. */
gmg_status gmg_setup_again(gmg_solver *s, int take)
{
  struct gmg_problem *p = &s->problem;
  const int uniform = p->uniform_alpha, singular = p->singular;
  const double alpha = p->alpha;
  const struct gmg_operator_descriptor *op = p->op;
  gmg_status status = gmg_agree(s->context, gmg_coefficients_choose(p, take));
  int same = p->op == op && p->uniform_alpha == uniform;
  const struct gmg_kinds kinds = p->kinds;
  const int lost = gmg_coefficients_lost(p, same ? take : GMG_TAKE_ALL);
  if (!status && lost)
    status = refuse_lost(s, lost, same);
  if (!status && same && take & GMG_TAKE_BETA && gmg_coarsening_chooses(s)
      && !gmg_coefficients_lost(p, GMG_TAKE_ALL))
    same = !gmg_coarsening_turns(s);
  if (!status)
    status = gmg_record_borrowed(s, same ? take : GMG_TAKE_ALL);
  if (status > 0) {
    p->kinds = kinds;
    p->uniform_alpha = uniform;
    p->alpha = alpha;
    p->singular = singular;
    p->op = op;
    return status;
  }
  if (!status && same)
    return take_in(s, take);
  gmg_hierarchy_destroy(s);
  gmg_owned_drop(s);
  s->set_up = 0;
  return status ? status : setup_all(s);
}

/* With what was replaced since the last setup. */
static gmg_status setup_replaced(gmg_solver *s)
{
  struct gmg_problem *p = &s->problem;
  const double a = p->a, b = p->b;
  int take = gmg_coefficients_given(p);
  if (p->equation_waits) {
    take |= (p->next_a != a ? GMG_TAKE_ALPHA : 0) | (p->next_b != b ? GMG_TAKE_BETA : 0);
    p->a = p->next_a;
    p->b = p->next_b;
    p->equation_waits = 0;
  }
  const gmg_status status = gmg_setup_again(s, take);
  if (status > 0) {
    p->a = a;
    p->b = b;
    gmg_given_forget(p);
  }
  return status;
}

static gmg_status setup(gmg_solver *solver)
{
  struct gmg_problem *p = &solver->problem;
  const double begin = gmg_seconds();
  gmg_status status;
  solver->memory.peak = solver->memory.bytes;
  if (solver->set_up) {
    status = gmg_agree(solver->context, setup_replaced(solver));
    if (status > 0)
      return status;
  } else {
    solver->report.fallbacks = 0;
    p->kinds = (struct gmg_kinds){.turned = 0};
    note(solver, solver->context->note);
    note(solver, solver->report.ignored);
    status = gmg_agree(solver->context, gmg_coefficients_choose(p, GMG_TAKE_ALL));
    if (!status)
      status = gmg_record_borrowed(solver, GMG_TAKE_ALL);
    if (status)
      return status;
    status = gmg_agree(solver->context, setup_all(solver));
    if (status) { /* some copies are used up */
      gmg_given_forget(p);
      memset(p->has, 0, sizeof p->has);
    }
  }
  solver->set_up = !status;
  gmg_given_forget(p);
  if (status) {
    gmg_hierarchy_destroy(solver);
    gmg_owned_drop(solver);
  }
  solver->report.setup_seconds = gmg_seconds() - begin;
  return status;
}

gmg_status gmg_solver_setup(gmg_solver *solver)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  const struct gmg_same same = {.call = "gmg_solver_setup", .solver = solver};
  gmg_status status = gmg_same(solver->context, GMG_OK, &same);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  status = setup(solver);
  gmg_account(outer);
  return status;
}

/* A plan for what is expected, which is thrown away again. */
static gmg_status try_plan(gmg_solver *s, int expected, int64_t arrays)
{
  struct gmg_problem *p = &s->problem;
  const int added[GMG_COEFFICIENTS] = {
    expected & GMG_EXPECT_ALPHA,      expected & GMG_EXPECT_BETA,
    expected & GMG_EXPECT_BETA_FACES, expected & GMG_EXPECT_BETA_FACES,
    expected & GMG_EXPECT_BETA_FACES,
  };
  int has[GMG_COEFFICIENTS];
  const double a = p->a;
  memcpy(has, p->has, sizeof has);
  p->a = fabs(a); /* whether a α is negative is seen when α is there */
  for (int c = 0; c < GMG_COEFFICIENTS; c++)
    p->has[c] |= added[c] != 0;
  p->uniform_alpha = 0; /* α that is not here yet varies */
  gmg_status status = gmg_agree(s->context, gmg_coefficients_choose(p, GMG_TAKE_ALL));
  if (!status)
    status = gmg_placement_choose(s);
  if (!status)
    status = gmg_steps_count(s);
  if (expected & GMG_EXPECT_JUMPS)
    p->jump = INFINITY;
  if (!status)
    status = gmg_coarsening_expect(s);
  if (!status)
    status = plan(s, arrays);
  gmg_hierarchy_destroy(s);
  gmg_owned_drop(s);
  memcpy(p->has, has, sizeof has);
  p->a = a;
  p->op = NULL;
  return status;
}

gmg_status gmg_solver_predict(gmg_solver *solver, int expected, int64_t arrays,
                              gmg_memory_info *memory)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  const struct gmg_same same = {.call = "gmg_solver_predict",
                                .solver = solver,
                                .choice = {{"what is expected", expected, NULL}}};
  gmg_status status = GMG_OK;
  if (!memory)
    status = gmg_fail(solver->context, GMG_ERR_ARGUMENT, "gmg_solver_predict: memory is NULL");
  status = gmg_same(solver->context, status, &same);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  status = solver->set_up ? GMG_OK : try_plan(solver, expected, arrays);
  gmg_account(outer);
  if (status)
    return status;
  return gmg_solver_memory(solver, memory);
}
