#include "problem/arrays.h"
#include "cycle/bottom.h"
#include "cycle/cycle.h"
#include "diagnosis.h"
#include "cycle/fmg.h"
#include "setup/hierarchy.h"
#include "krylov.h"
#include "cycle/measure.h"
#include "system/team.h"
#include "system/threads.h"
#include "outcome.h"
#include "cycle/precision.h"
#include "problem/record.h"
#include "refine.h"
#include "right_side.h"
#include "problem/same.h"
#include "cycle/singular.h"
#include "cycle/smooth.h"
#include "stop.h"
#include "cycle/transfer.h"

#include <math.h>
#include <stdio.h>

/* Mixed precision: what a cycle is expected to take off before any was seen, at most; where it
 * takes off less the true residual is asked; and how far below the true residual cycles in single
 * precision go on their own. */
#define FIRST_FACTOR 0.1
#define SLOW_FACTOR 0.5
#define SINGLE_DEPTH 1e-3
/* How far the residual of a guess may lie below the right side, to whose scale it was rounded. */
#define FAR_FACTOR 1e-3

/* Of u, or of the Krylov method's iterate. */
static double norm_of_residual(struct gmg_solver *s)
{
  return gmg_refine_norm(s, s->krylov.on ? &s->krylov.norm : &s->hierarchy.norm);
}

/* Conjugate gradients from here on, if the options say so or `auto` finds that they pay (pays). */
static void choose_krylov(struct gmg_solver *s, int cycle, int pays)
{
  const double *history = s->report.residual_history;
  if (s->krylov.on
      || !(pays || s->problem.options.krylov == GMG_KRYLOV_CG
           || s->problem.options.krylov == GMG_KRYLOV_BICGSTAB))
    return;
  gmg_krylov_begin(s);
  if (!pays || s->report.fallbacks == GMG_FALLBACKS)
    return;
  s->krylov.noted = 1;
  gmg_report_fallback(&s->report,
                      "krylov auto: conjugate gradients after cycle %d, which changed the residual "
                      "norm by a factor %.2f",
                      cycle, history[cycle] / history[cycle - 1]);
}

/* A cycle that stands by itself, without a Krylov method. It ends with the next one's way down,
 * which thus shares a pass over memory with its way up, and the residual's norm is that of u after
 * both. */
static double run_cycle(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  if (s->hierarchy.levels == 1) {
    gmg_cycle(&s->hierarchy, 0, s->hierarchy.cycle);
    return norm_of_residual(s);
  }
  /* The norm that ends the solve, or that has stagnated, is that of all cells. */
  const int whole = cycle + 1 == s->problem.options.max_cycles || norm * p->factor <= p->tolerance
    || p->factor >= SLOW_FACTOR;
  if (p->phase == GMG_AT_U)
    gmg_cycle_down(&s->hierarchy, 0, NULL, 0);
  gmg_cycle_up(&s->hierarchy, 0, s->hierarchy.cycle);
  gmg_cycle_down(&s->hierarchy, 0, &s->hierarchy.norm, whole);
  p->phase = GMG_DOWN_FROM_U;
  double next = norm_of_residual(s);
  if (!whole && s->hierarchy.level[0].active_colour
      && !(next > p->tolerance && next <= SLOW_FACTOR * norm))
    next = norm_of_residual(s);
  p->factor = fmin(next / norm, SLOW_FACTOR);
  return next;
}

/* u takes what the cycles in single precision found, and they begin anew. Returns the true norm. */
static double refine(struct gmg_solver *s, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine(s, size);
  p->phase = s->hierarchy.levels > 1 ? GMG_DOWN_FROM_RESIDUAL : GMG_AT_RESIDUAL;
  return p->anchor;
}

/* Cycles in single precision start from u. Returns the true norm. */
static double begin_single(struct gmg_solver *s, struct gmg_progress *p, double size)
{
  p->anchor = gmg_refine_begin(s, size);
  p->phase = GMG_AT_RESIDUAL;
  p->factor = FIRST_FACTOR;
  return p->anchor;
}

/* A cycle in single precision. Where that has done what it can, or the tolerance is near, the true
 * residual takes the place of its own between the sweeps and the restriction, as in double. */
static double run_single_cycle(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  if (p->phase == GMG_AT_U)
    begin_single(s, p, norm);
  const double expected = norm * p->factor;
  const int last = cycle + 1 == s->problem.options.max_cycles || s->hierarchy.levels == 1
    || expected <= p->tolerance || expected <= SINGLE_DEPTH * p->anchor;
  if (s->hierarchy.levels > 1) {
    if (p->phase == GMG_AT_RESIDUAL)
      gmg_cycle_down(&s->hierarchy, 0, NULL, 0);
    gmg_cycle_up(&s->hierarchy, 0, s->hierarchy.cycle);
    gmg_smooth_before(&s->hierarchy, 0);
  } else {
    gmg_cycle(&s->hierarchy, 0, s->hierarchy.cycle);
  }
  double next;
  if (last) {
    next = refine(s, p, expected);
  } else {
    gmg_restrict_residual(&s->hierarchy, 0, &s->hierarchy.level[0].norm, 0);
    p->phase = GMG_AHEAD_OF_U;
    next = gmg_refine_estimate(s);
    if (next <= p->tolerance || next > SLOW_FACTOR * norm)
      next = isfinite(next) ? refine(s, p, next) : next;
  }
  p->factor = fmin(next / norm, SLOW_FACTOR);
  return next;
}

/* On one level there is nothing that a correction could start from. */
static int starts_full(const struct gmg_solver *s, const struct gmg_progress *p)
{
  return s->hierarchy.full && (!p->guess || s->hierarchy.levels > 1);
}

/* The start by full multigrid: of the solution, or where there is a guess of what it lacks. Returns
 * the norm. */
static double start_full(struct gmg_solver *s, struct gmg_progress *p, double norm)
{
  if (p->guess) {
    if (gmg_refines(&s->hierarchy) && p->phase == GMG_AT_U)
      begin_single(s, p, norm);
    gmg_cycle_fmg_correct(&s->hierarchy);
  } else {
    if (gmg_refines(&s->hierarchy) && !s->hierarchy.refinement.f_taken)
      gmg_precision_take_f(&s->hierarchy);
    gmg_cycle_fmg(&s->hierarchy, 0);
  }
  if (!gmg_refines(&s->hierarchy))
    return norm_of_residual(s);
  if (p->guess)
    gmg_refine_add(s);
  else
    gmg_precision_give_u(&s->hierarchy);
  return begin_single(s, p, norm);
}

/* One iteration, of whatever kind, after `cycle` of them. Returns the norm of the residual after
 * it, in mixed precision an estimate (GMG_AHEAD_OF_U) unless that is near the tolerance. */
static double iterate(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  if (cycle == 0 && starts_full(s, p))
    return start_full(s, p, norm);
  const int starts = starts_full(s, p),
            pays = !s->krylov.on
    && gmg_krylov_pays(s, s->report.residual_history + starts, cycle - starts, p->tolerance);
  if (pays && p->phase == GMG_AHEAD_OF_U)
    norm = refine(s, p, norm);
  choose_krylov(s, cycle, pays);
  if (s->krylov.on) {
    gmg_krylov_step(s, norm);
    return norm_of_residual(s);
  }
  return gmg_refines(&s->hierarchy) ? run_single_cycle(s, p, cycle, norm)
                                    : run_cycle(s, p, cycle, norm);
}

/* After a solve that broke down: kernels multiply what earlier iterates left here by 0, which a NaN
 * would survive. */
static void forget_iterates(struct gmg_solver *s)
{
  static const char *const names[] = {"w",          "work_6",     "work_2",
                                      "krylov_x",   "krylov_p",   "krylov_q",
                                      "krylov_p_1", "krylov_q_1", "krylov_r"};
  gmg_call_wait(s->context);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    gmg_level_clear(s->hierarchy.finest, names[n]);
    for (int l = 0; l < s->hierarchy.levels; l++)
      gmg_level_clear(s->hierarchy.level[l].level, names[n]);
  }
}

static gmg_status check_arrays(struct gmg_solver *s, const gmg_array *f, const gmg_array *u,
                               const gmg_result *result)
{
  if (!s->set_up)
    return gmg_fail(s->context, GMG_ERR_ORDER, "gmg_solver_solve comes after gmg_solver_setup");
  int cells = 1;
  for (int d = 0; d < 3; d++)
    cells = cells && s->problem.grid->part_upper[d] > s->problem.grid->part_lower[d];
  if (!f || !u || !result || (cells && (!f->data || !u->data)))
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "gmg_solver_solve: an argument is NULL");
  return gmg_arrays_check_output(s, "gmg_solver_solve", "u", u, GMG_CELL);
}

/* Double precision from here on: from u as it is, or where that was lost from the start. Returns
 * the norm. */
static double raise_precision(struct gmg_solver *s, struct gmg_progress *p, int cycle,
                              const char *why, gmg_status *status)
{
  char text[120];
  const int lost = !isfinite(s->report.residual_history[cycle]) && p->phase != GMG_AHEAD_OF_U;
  snprintf(text, sizeof text, "after cycle %d, where single precision %s%s", cycle, why,
           lost ? ", and from the start" : "");
  gmg_refine_note(s, text);
  *status = gmg_hierarchy_raise(s);
  p->phase = GMG_AT_U;
  p->raised_after = cycle;
  if (*status || !lost)
    return *status ? 0 : norm_of_residual(s);
  forget_iterates(s);
  gmg_krylov_drop(s);
  gmg_call_run(s->hierarchy.clear_u);
  if (p->guess)
    *status = gmg_arrays_load(s, p->guess);
  gmg_refine_forget(s);
  return norm_of_residual(s);
}

/* From here on what the cycles move is counted. */
static void forget_traffic(struct gmg_solver *s)
{
  gmg_call_wait(s->context);
  for (int l = 0; l < s->hierarchy.levels; l++) {
    struct gmg_level *parts[] = {s->hierarchy.level[l].level, s->hierarchy.level[l].level->twin,
                                 s->hierarchy.level[l].staging};
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
      if (parts[n])
        parts[n]->moved = 0;
  }
}

/* f of the finest level, and of those below it where a start by full multigrid needs them, from the
 * caller's array. */
static gmg_status take_right_side(struct gmg_solver *s, struct gmg_progress *p, const gmg_array *f)
{
  const gmg_status status = gmg_arrays_load(s, f);
  if (status)
    return status;
  gmg_refine_forget(s);
  gmg_reducer_forget(&s->hierarchy.norm_of_f);
  gmg_reducer_forget(&s->hierarchy.sum_f);
  gmg_reducer_forget(&s->hierarchy.mean_u);
  p->result.projected = gmg_right_side_take(s, s->hierarchy.full && !p->guess);
  return GMG_OK;
}

/* u = the guess, unless zero is nearer: then all is as if there had been none. Returns the norm of
 * the residual. */
static double take_guess(struct gmg_solver *s, struct gmg_progress *p, const gmg_array *f,
                         gmg_status *status)
{
  *status = gmg_arrays_load(s, p->guess);
  if (*status)
    return 0;
  double norm;
  if (gmg_refines(&s->hierarchy)) {
    norm = begin_single(s, p, p->reference);
    if (!(norm > FAR_FACTOR * p->reference))
      p->phase = GMG_AT_U; /* they begin anew, at a scale that fits */
  } else {
    if (starts_full(s, p))
      gmg_fmg_restrict_residual(&s->hierarchy, &s->hierarchy.norm);
    norm = norm_of_residual(s);
  }
  if (!isfinite(norm) || norm <= p->reference)
    return norm;
  p->guess = NULL;
  p->phase = GMG_AT_U;
  *status = take_right_side(s, p, f);
  return *status ? 0 : gmg_right_side_norm(s);
}

static gmg_status run_cycles(struct gmg_solver *s, struct gmg_progress *p, const gmg_array *f)
{
  gmg_status status = GMG_OK;
  gmg_stop_begin(s);
  double norm = gmg_right_side_norm(s);
  p->result.initial_norm = p->reference = norm;
  p->tolerance = fmax(s->problem.options.rtol * norm, s->problem.options.atol);
  if (norm == 0 || !isfinite(norm)) { /* the solution is zero, or there is none */
    gmg_call_run(s->hierarchy.clear_u);
    gmg_outcome_note(s, p, 0, norm);
    if (norm == 0)
      snprintf(s->report.reason, sizeof s->report.reason,
               "the right side is zero, and so is the solution");
    return status;
  }
  if (p->guess)
    norm = take_guess(s, p, f, &status);
  forget_traffic(s);
  for (int cycle = 0; !status && !s->context->mpi_error;) {
    if (p->phase == GMG_AHEAD_OF_U && gmg_stop_agreed(s)) /* the last norm is a true one */
      norm = refine(s, p, norm);
    const int over = gmg_outcome_note(s, p, cycle, norm);
    const char *why = gmg_outcome_too_low(s, p, cycle, over);
    if (cycle == 0 && !p->guess
        && (over || why || !s->hierarchy.full)) /* else the start by full multigrid overwrites it */
      gmg_call_run(s->hierarchy.clear_u);
    if (why)
      norm = raise_precision(s, p, cycle, why, &status);
    else if (!over)
      norm = iterate(s, p, cycle++, norm);
    if (over && !why)
      break;
  }
  if (p->phase == GMG_AHEAD_OF_U)
    refine(s, p, norm); /* u has all that was found */
  gmg_krylov_end(s);
  return status;
}

static gmg_status solve(gmg_solver *s, const gmg_array *f, gmg_array *u, int use_guess,
                        gmg_result *result)
{
  struct gmg_progress p = {.begin = gmg_seconds(), .factor = FIRST_FACTOR};
  s->context->mpi_error = 0;
  p.guess = use_guess ? u : NULL;
  gmg_status status = take_right_side(s, &p, f);
  if (status)
    return status;
  gmg_bottom_begin(&s->hierarchy);
  s->krylov.on = 0;
  s->report.fallbacks -= s->krylov.noted;
  s->krylov.noted = 0;
  p.result.singular = s->problem.singular;
  status = run_cycles(s, &p, f);
  gmg_stop_end(s);
  status = gmg_agree(s->context, status);
  if (status)
    return status;
  if (p.result.outcome == GMG_NOT_FINITE && p.result.cycles == 0)
    gmg_diagnose_input(s, f, p.guess);
  if (p.result.outcome == GMG_NOT_FINITE || p.result.outcome == GMG_DIVERGED)
    forget_iterates(s);
  if (p.result.outcome != GMG_NOT_FINITE)
    gmg_singular_level_u(&s->hierarchy);
  status = gmg_arrays_store(s, u);
  p.result.solve_seconds = gmg_seconds() - p.begin;
  if (gmg_diagnose_wanted(s, &p.result))
    gmg_diagnose(s, &p.result, p.tolerance, gmg_outcome_limit(s, &p));
  if (!status && s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed during the solve");
  if (!status)
    status = gmg_device_status(s->context);
  status = gmg_agree(s->context, status);
  p.result.reason = s->report.reason;
  p.result.residual_history = s->report.residual_history;
  p.result.seconds_history = s->report.seconds_history;
  p.result.setup_seconds = s->report.setup_seconds;
  *result = p.result;
  return status;
}

struct solve {
  gmg_solver *solver;
  const gmg_array *f;
  gmg_array *u;
  int use_guess;
  gmg_result *result;
  gmg_status status;
};

static void run_solve(void *work)
{
  struct solve *w = work;
  w->status = solve(w->solver, w->f, w->u, w->use_guess, w->result);
}

gmg_status gmg_solver_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  const gmg_array *const array[] = {f, u};
  const struct gmg_same same = {.call = "gmg_solver_solve",
                                .solver = solver,
                                .choice = {{"use_guess", use_guess != 0, NULL}},
                                .array = array,
                                .arrays = 2};
  gmg_status status = gmg_same(solver->context, check_arrays(solver, f, u, result), &same);
  if (!status)
    status = gmg_record_solve(solver, f, use_guess ? u : NULL);
  if (!status) {
    struct solve work = {solver, f, u, use_guess, result, GMG_OK};
    gmg_team_lead(solver->context->team, run_solve, &work);
    status = work.status;
  }
  gmg_account(outer);
  return status;
}
