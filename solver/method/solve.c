#include "cycle/bottom.h"
#include "cycle/boundary.h"
#include "diagnosis.h"
#include "cycle/fmg.h"
#include "fourier/fourier.h"
#include "setup/hierarchy.h"
#include "coarsening/repeated.h"
#include "iterate.h"
#include "cycle/precision.h"
#include "cycle/relaxation.h"
#include "krylov.h"
#include "system/team.h"
#include "system/threads.h"
#include "problem/record.h"
#include "refine.h"
#include "problem/arrays.h"
#include "problem/same.h"
#include "cycle/singular.h"
#include "cycle/transfer.h"

#include <math.h>
#include <stdio.h>

/* How far the residual of a guess may lie below the right side, to whose scale it was rounded. */
#define FAR_FACTOR 1e-3

/* After a solve that broke down: kernels multiply what earlier iterates left here by 0, which a NaN
 * would survive. */
static void forget_iterates(struct gmg_hierarchy *h)
{
  static const enum gmg_name names[] = {
    GMG_NAME_W,          GMG_NAME_WORK_6,     GMG_NAME_WORK_2,
    GMG_NAME_KRYLOV_X,   GMG_NAME_KRYLOV_P,   GMG_NAME_KRYLOV_Q,
    GMG_NAME_KRYLOV_P_1, GMG_NAME_KRYLOV_Q_1, GMG_NAME_KRYLOV_R};
  gmg_call_wait(h->context);
  for (size_t n = 0; n < GMG_LENGTH(names); n++) {
    gmg_level_clear(h->finest, names[n]);
    for (int l = 0; l < h->levels; l++)
      gmg_level_clear(h->level[l].level, names[n]);
  }
}

static gmg_status check_arrays(gmg_solver *s, const gmg_array *f, const gmg_array *u,
                               const gmg_result *result)
{
  if (!s->set_up)
    return gmg_fail(s->context, GMG_ERR_ORDER, "gmg_solver_solve comes after gmg_solver_setup");
  const int cells = gmg_grid_has_part(s->problem.grid);
  if (!f || !u || !result || (cells && (!f->data || !u->data)))
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "gmg_solver_solve: an argument is NULL");
  const gmg_array *const array[] = {f, u};
  const gmg_status status = gmg_arrays_check_reach(s, "gmg_solver_solve", array, 2);
  return status ? status
                : gmg_arrays_check_output(&s->problem, "gmg_solver_solve", "u", u, GMG_CELL);
}

/* Double precision from here on: from u as it is, or where that was lost from the start. Returns
 * the norm. */
static double raise_precision(gmg_solver *s, struct gmg_progress *p, int cycle, const char *why,
                              gmg_status *status)
{
  char text[120];
  const int lost = !isfinite(s->report.residual_history[cycle]) && p->phase != GMG_AHEAD_OF_U;
  snprintf(text, sizeof text, "after cycle %d, where single precision %s%s", cycle, why,
           lost ? ", and from the start" : "");
  gmg_refine_note(s, text);
  *status = gmg_hierarchy_raise(s);
  p->phase = GMG_AT_U;
  p->raised_after = cycle;
  if (*status)
    return 0;
  gmg_krylov_raise(s);
  if (!lost)
    return gmg_residual_norm(s);
  forget_iterates(&s->hierarchy);
  gmg_krylov_drop(s);
  gmg_call_run(s->hierarchy.clear_u);
  if (p->guess)
    *status = gmg_arrays_load(s, p->guess);
  gmg_refine_forget(&s->hierarchy);
  return gmg_residual_norm(s);
}

/* Takes whole corrections from now on. Returns 0 where they are. */
static int correct_whole(gmg_solver *s)
{
  if (s->problem.correction == 1)
    return 0;
  s->problem.correction = 1;
  gmg_transfer_correct(&s->hierarchy);
  return 1;
}

/* From the start again where the residual grows and relaxation, or corrections that are not whole,
 * may be the reason. Returns whether that is so; then *norm is that of the start. */
static int relax_less(gmg_solver *s, struct gmg_progress *p, int cycle, double *norm,
                      gmg_status *status)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  if (!gmg_outcome_grows(s, p, cycle))
    return 0;
  const double *history = s->report.residual_history;
  const int rises = p->result.outcome == GMG_STALLED || !(history[cycle] <= history[cycle - 1]);
  const int whole = rises && correct_whole(s);
  if (!whole && !gmg_relaxation_damp(h))
    return 0;
  s->report.fallbacks -= s->krylov.noted;
  s->krylov.noted = s->report.fallbacks < GMG_FALLBACKS;
  gmg_report_fallback(&s->report,
                      "%s, after cycle %d, and from the start, as the residual grew or stalled",
                      whole ? "correction: whole corrections from coarse levels"
                            : "relaxation: no over-relaxation where an odd number of cells is "
                              "periodic",
                      cycle);
  forget_iterates(h);
  gmg_krylov_drop(s);
  gmg_call_run(h->clear_u);
  if (p->guess)
    *status = gmg_arrays_load(s, p->guess);
  gmg_refine_forget(h);
  p->phase = GMG_AT_U;
  p->factor = GMG_FIRST_FACTOR;
  p->raised_after = cycle;
  if (!*status)
    *norm = gmg_refines(h) ? gmg_iterate_single(h, p, p->reference) : gmg_residual_norm(s);
  return 1;
}

/* From here on what the cycles move is counted. */
static void forget_traffic(struct gmg_hierarchy *h)
{
  gmg_call_wait(h->context);
  for (int l = 0; l < h->levels; l++)
    for (int n = 0; n < GMG_PARTS; n++)
      if (gmg_level_part(&h->level[l], n))
        gmg_level_part(&h->level[l], n)->moved = 0;
}

/* The norm of f, which is that of the residual where u is zero. */
static double right_side_norm(struct gmg_hierarchy *h)
{
  double most;
  const double sum = gmg_reduce(&h->norm_of_f, &most);
  h->norm.exponent = h->norm_of_f.exponent;
  h->norm.known = 1;
  return sqrt(h->problem->options.norm == GMG_NORM_MAX ? most : sum);
}

/* f of the finest level, and of those below it where a start by full multigrid needs them, from the
 * caller's array: integrated over cells, with boundary values in it and, of a singular problem,
 * without its mean. */
static gmg_status take_right_side(gmg_solver *s, struct gmg_progress *p, const gmg_array *f)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const gmg_status status = gmg_arrays_load(s, f);
  if (status)
    return status;
  gmg_refine_forget(h);
  gmg_reducer_forget(&h->norm_of_f);
  gmg_reducer_forget(&h->sum_f);
  gmg_reducer_forget(&h->mean_u);
  const int full = h->full && !p->guess;
  gmg_call_run(h->take_density);
  if (full)
    gmg_fmg_restrict(h);
  if (!gmg_placement_add_sources(&s->placement, h->refinement.residual_scale))
    gmg_boundary_add(h);
  p->result.projected = 0;
  if (s->problem.singular) {
    const double before = right_side_norm(h);
    p->result.projected = gmg_singular_project_f(h, full);
    if (right_side_norm(h) <= 1e-15 * before) /* what only rounding left of it is zero */
      gmg_call_run(h->clear_f);
  }
  return GMG_OK;
}

/* u = the guess, unless zero is nearer: then all is as if there had been none. Returns the norm of
 * the residual. */
static double take_guess(gmg_solver *s, struct gmg_progress *p, const gmg_array *f,
                         gmg_status *status)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  *status = gmg_arrays_load(s, p->guess);
  if (*status)
    return 0;
  double norm;
  if (gmg_refines(h)) {
    norm = gmg_iterate_single(h, p, p->reference);
    if (!(norm > FAR_FACTOR * p->reference))
      p->phase = GMG_AT_U; /* they begin anew, at a scale that fits */
  } else {
    if (gmg_iterate_starts_full(h, p))
      gmg_fmg_restrict_residual(h, &h->norm);
    norm = gmg_residual_norm(s);
  }
  if (!isfinite(norm) || norm <= p->reference)
    return norm;
  p->guess = NULL;
  p->phase = GMG_AT_U;
  *status = take_right_side(s, p, f);
  return *status ? 0 : right_side_norm(h);
}

static gmg_status run_cycles(gmg_solver *s, struct gmg_progress *p, const gmg_array *f)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  s->context->comm.stop = &s->report.stop;
  s->context->comm.stopped = 0;
  double norm = right_side_norm(h);
  p->result.initial_norm = p->reference = norm;
  p->tolerance = fmax(s->problem.options.rtol * norm, s->problem.options.atol);
  if (norm == 0 || !isfinite(norm)) { /* the solution is zero, or there is none */
    gmg_call_run(h->clear_u);
    gmg_outcome_note(s, p, 0, norm);
    if (norm == 0)
      snprintf(s->report.reason, sizeof s->report.reason,
               "the right side is zero, and so is the solution");
    return status;
  }
  if (p->guess)
    norm = take_guess(s, p, f, &status);
  forget_traffic(h);
  for (int cycle = 0; !status && !s->context->mpi_error;) {
    if (p->phase == GMG_AHEAD_OF_U && s->context->comm.stopped) /* the last norm is a true one */
      norm = gmg_iterate_refined(h, p, norm);
    const int over = gmg_outcome_note(s, p, cycle, norm);
    const char *why = gmg_outcome_too_low(s, p, cycle, over);
    if (cycle == 0 && !p->guess
        && (over || why || !h->full)) /* else the start by full multigrid overwrites it */
      gmg_call_run(h->clear_u);
    const int again =
      cycle < s->problem.options.max_cycles && relax_less(s, p, cycle, &norm, &status);
    if (why && !again)
      norm = raise_precision(s, p, cycle, why, &status);
    else if (!over && !again)
      norm = gmg_iterate(s, p, cycle++, norm);
    if (over && !why && !again)
      break;
  }
  if (p->phase == GMG_AHEAD_OF_U)
    gmg_iterate_refined(h, p, norm); /* u has all that was found */
  gmg_krylov_end(s);
  return status;
}

/* Seconds so far in kernels and in exchanges, of all levels, and waiting. */
struct clocks {
  double kernels, exchanges, waiting;
};

static struct clocks read_clocks(const gmg_solver *s)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  struct clocks clocks = {.kernels = gmg_fourier_seconds(s), .waiting = h->context->waited};
  for (int l = 0; l < h->levels; l++)
    for (int n = 0; n < GMG_PARTS; n++) {
      const struct gmg_level *part = gmg_level_part(&h->level[l], n);
      for (int k = 0; part && k < part->stats; k++)
        clocks.kernels += part->stat[k]->seconds;
      clocks.exchanges += part ? part->exchanges.seconds : 0;
    }
  return clocks;
}

static gmg_status solve(gmg_solver *s, const gmg_array *f, gmg_array *u, int use_guess,
                        gmg_result *result)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  struct gmg_progress p = {.begin = gmg_seconds(), .factor = GMG_FIRST_FACTOR};
  const struct clocks before = read_clocks(s);
  s->context->mpi_error = 0;
  p.guess = use_guess ? u : NULL;
  gmg_status status = take_right_side(s, &p, f);
  if (status)
    return status;
  gmg_bottom_begin(h);
  s->krylov.on = 0;
  s->report.fallbacks -= s->krylov.noted;
  s->krylov.noted = 0;
  gmg_relaxation_restore(h);
  p.result.singular = s->problem.singular;
  status = run_cycles(s, &p, f);
  /* Requests that came in the solve are over too: a collective call follows before the next one, so
   * that no rank sees those of a rank that is late. */
  s->context->comm.stop = NULL;
  atomic_store(&s->report.stop, 0);
  status = gmg_agree(s->context, status);
  if (status)
    return status;
  if (p.result.outcome == GMG_NOT_FINITE && p.result.cycles == 0)
    gmg_diagnose_input(s, f, p.guess);
  if (p.result.outcome == GMG_NOT_FINITE || p.result.outcome == GMG_DIVERGED)
    forget_iterates(h);
  if (p.result.outcome != GMG_NOT_FINITE)
    gmg_singular_level_u(h);
  status = gmg_arrays_store(s, u);
  p.result.solve_seconds = gmg_seconds() - p.begin;
  const struct clocks after = read_clocks(s);
  p.result.kernel_seconds = after.kernels - before.kernels;
  p.result.exchange_seconds = after.exchanges - before.exchanges;
  p.result.waiting_seconds = after.waiting - before.waiting;
  if (!s->report.undiagnosed && gmg_diagnose_wanted(h, &p.result))
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
  gmg_coarsening_note(s, &p.result);
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
