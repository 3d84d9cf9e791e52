#include "iterate.h"

#include "bottom.h"
#include "boundary.h"
#include "diagnosis.h"
#include "fmg.h"
#include "hierarchy.h"
#include "krylov.h"
#include "measure.h"
#include "openmp/threads.h"
#include "record.h"
#include "refine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  STALL_WINDOW = 10,  /* cycles over which a residual that hardly falls is called stalled */
  DIVERGE_CYCLES = 3, /* growth before this many cycles is not divergence: a jump of 1e6 can do it */
};
#define STALL_FACTOR 0.9
#define DIVERGE_FACTOR 1e6

const char *gmg_outcome_text(gmg_outcome outcome)
{
  static const char *const text[] = {"converged", "max_cycles", "stalled", "diverged", "not_finite"};
  return (int)outcome >= 0 && (int)outcome < 5 ? text[outcome] : "unknown";
}

/* The norm of the residual where u is zero, without a look at A: u serves as room. */
static double norm_of_right_side(struct gmg_solver *s)
{
  double most;
  gmg_call_run(s->density_of_f);
  const double sum = gmg_reduce(&s->norm_of_f, &most);
  gmg_call_run(s->clear_u);
  s->norm.exponent = s->norm_of_f.exponent;
  s->norm.known = 1;
  return sqrt(s->options.norm == GMG_NORM_MAX ? most : sum);
}

/* The caller's array into u of the finest level, or back. */
static void load_u(struct gmg_solver *s, const gmg_array *array)
{
  struct gmg_level *finest = s->finest;
  gmg_move_values(s->context, s->load, gmg_exchange_stat(finest), array->data, gmg_level_find(finest, "u")->data);
}

static void store_u(struct gmg_solver *s, const gmg_array *array)
{
  struct gmg_level *finest = s->finest;
  gmg_move_values(s->context, s->store, gmg_exchange_stat(finest), gmg_level_find(finest, "u")->data, array->data);
}

/* The right side, integrated over cells, with boundary values in it and, of a singular problem, without its mean.
 * full: on all levels, for a start by full multigrid. u serves as the room for f's values and is zero afterwards. */
static void take_right_side(struct gmg_solver *s, const gmg_array *f, int full, gmg_result *result)
{
  load_u(s, f);
  gmg_call_run(s->clear_f);
  gmg_call_run(s->take_density);
  if (full)
    gmg_fmg_restrict(s);
  gmg_boundary_add(s);
  if (!s->singular)
    return;
  const double before = norm_of_right_side(s), mean = gmg_reduce(&s->sum_f, NULL) / s->volume;
  gmg_call_set(s->project, "s", -mean);
  gmg_call_run(s->project);
  if (full)
    gmg_fmg_project(s, mean);
  result->projected = mean;
  /* What only rounding left of it is zero. */
  if (norm_of_right_side(s) <= 1e-15 * before)
    gmg_call_run(s->clear_f);
}

/* Records one norm. Returns 1 where the solve is over. */
static int note(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  gmg_result *result = &p->result;
  s->residual_history[cycle] = norm;
  s->seconds_history[cycle] = gmg_seconds() - p->begin;
  result->cycles = cycle;
  result->relative_residual = norm == 0 ? 0 : norm / p->reference;
  if (s->monitor)
    s->monitor(s->monitor_user, cycle, norm, result->relative_residual, s->seconds_history[cycle]);
  const double *history = s->residual_history;
  if (!isfinite(norm)) {
    result->outcome = GMG_NOT_FINITE;
    snprintf(s->reason, sizeof s->reason,
             cycle ? "after cycle %d the residual is %s" : "at the start (cycle %d) the residual is %s", cycle,
             isnan(norm) ? "not a number" : "infinite");
    return 1;
  }
  if (norm <= p->tolerance) {
    result->outcome = GMG_CONVERGED;
    snprintf(s->reason, sizeof s->reason, "the residual norm %.3e is at most %.3e after %d cycles", norm, p->tolerance,
             cycle);
    return 1;
  }
  if (s->krylov.on && s->krylov.breakdown) {
    result->outcome = GMG_STALLED;
    snprintf(s->reason, sizeof s->reason, "BiCGStab broke down in iteration %d, where the residual norm is %.3e: %s",
             cycle, norm, s->krylov.breakdown);
    return 1;
  }
  if (cycle >= DIVERGE_CYCLES && norm > DIVERGE_FACTOR * history[0] && norm > history[cycle - 1]
      && history[cycle - 1] > history[cycle - 2]) {
    result->outcome = GMG_DIVERGED;
    snprintf(s->reason, sizeof s->reason,
             "after %d cycles the residual norm is %.3e, %.1e times that at the start, and grows", cycle, norm,
             norm / history[0]);
    return 1;
  }
  if (cycle > p->raised + STALL_WINDOW && norm > STALL_FACTOR * history[cycle - STALL_WINDOW]
      && norm > STALL_FACTOR * history[cycle - STALL_WINDOW / 2]) {
    result->outcome = GMG_STALLED;
    snprintf(s->reason, sizeof s->reason, "in the last %d cycles the residual norm went from %.3e to %.3e",
             STALL_WINDOW, history[cycle - STALL_WINDOW], norm);
    return 1;
  }
  result->outcome = GMG_MAX_CYCLES;
  snprintf(s->reason, sizeof s->reason, "after %d cycles the residual norm is %.3e, more than %.3e", cycle, norm,
           p->tolerance);
  return cycle == s->options.max_cycles;
}

/* After a solve that broke down: kernels multiply what earlier iterates left here by 0, which a NaN would survive. */
static void forget_iterates(struct gmg_solver *s)
{
  static const char *const names[] = {"w", "work_6", "work_2", "krylov_x", "krylov_p", "krylov_q", "krylov_r"};
  gmg_call_wait(s->context);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    gmg_level_clear(s->finest, names[n]);
    for (int l = 0; l < s->levels; l++)
      gmg_level_clear(s->level[l].level, names[n]);
  }
}

static gmg_status check_arrays(struct gmg_solver *s, const gmg_array *f, const gmg_array *u, const gmg_result *result)
{
  if (!s->ready)
    return gmg_fail(s->context, GMG_ERR_ORDER, "gmg_solver_solve comes after gmg_solver_setup");
  int cells = 1;
  for (int d = 0; d < 3; d++)
    cells = cells && s->grid->part_upper[d] > s->grid->part_lower[d];
  if (!f || !u || !result || (cells && (!f->data || !u->data)))
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "gmg_solver_solve: an argument is NULL");
  return GMG_OK;
}

/* Why single precision must be given up; NULL: it need not. */
static const char *too_low(const struct gmg_solver *s, const struct gmg_progress *p, int cycle, int over)
{
  const double norm = s->residual_history[cycle];
  if (!gmg_refines(s) || cycle == 0)
    return NULL;
  if (!isfinite(norm))
    return "overflowed";
  if (over && (p->result.outcome == GMG_STALLED || p->result.outcome == GMG_DIVERGED))
    return "stagnated";
  return NULL;
}

/* Double precision from here on: from u as it is, or where that was lost from the start. Returns the norm. */
static double raise_precision(struct gmg_solver *s, struct gmg_progress *p, int cycle, const char *why,
                              gmg_status *status)
{
  char text[120];
  const int lost = !isfinite(s->residual_history[cycle]) && !p->estimated;
  snprintf(text, sizeof text, "after cycle %d, where single precision %s%s", cycle, why,
           lost ? ", and from the start" : "");
  *status = gmg_refine_raise(s, text);
  p->started = p->refining = p->pending = p->estimated = 0;
  p->raised = cycle;
  if (*status || !lost)
    return *status ? 0 : gmg_norm_of_residual(s);
  forget_iterates(s);
  gmg_krylov_end(s);
  s->krylov.on = 0;
  gmg_call_run(s->clear_u);
  if (p->guess)
    load_u(s, p->guess);
  gmg_refine_forget(s);
  return gmg_norm_of_residual(s);
}

static gmg_status run_cycles(struct gmg_solver *s, struct gmg_progress *p)
{
  gmg_status status = GMG_OK;
  double norm = norm_of_right_side(s);
  p->result.initial_norm = p->reference = norm;
  p->tolerance = fmax(s->options.rtol * norm, s->options.atol);
  if (norm == 0 || !isfinite(norm)) { /* the solution is zero, or there is none */
    note(s, p, 0, norm);
    if (norm == 0)
      snprintf(s->reason, sizeof s->reason, "the right side is zero, and so is the solution");
    return status;
  }
  if (p->guess) {
    load_u(s, p->guess);
    norm = gmg_norm_of_residual(s);
  }
  for (int cycle = 0;;) {
    const int over = note(s, p, cycle, norm);
    const char *why = too_low(s, p, cycle, over);
    if (why)
      norm = raise_precision(s, p, cycle, why, &status);
    else if (!over)
      norm = gmg_iterate(s, p, cycle++, norm);
    if (status || (over && !why))
      break;
  }
  gmg_iterate_end(s, p, norm);
  gmg_krylov_end(s);
  return status;
}

static gmg_status solve(gmg_solver *s, const gmg_array *f, gmg_array *u, int use_guess, gmg_result *result)
{
  struct gmg_progress p = {.begin = gmg_seconds()};
  gmg_status status = gmg_hierarchy_view(s, 0, f->stride);
  if (status)
    return status;
  s->context->mpi_error = 0;
  gmg_refine_forget(s);
  gmg_reducer_forget(&s->norm_of_f);
  gmg_reducer_forget(&s->sum_f);
  gmg_reducer_forget(&s->mean_u);
  gmg_bottom_begin(s);
  s->krylov.on = 0;
  s->fallbacks -= s->krylov.noted;
  s->krylov.noted = 0;
  p.result.singular = s->singular;
  take_right_side(s, f, s->full && !use_guess, &p.result);
  if (use_guess)
    status = gmg_hierarchy_view(s, 0, u->stride);
  if (!status)
    status = gmg_hierarchy_view(s, 1, u->stride);
  if (status)
    return status;
  p.guess = use_guess ? u : NULL;
  status = gmg_agree(s->context, run_cycles(s, &p));
  if (status)
    return status;
  if (p.result.outcome == GMG_NOT_FINITE && p.result.cycles == 0)
    gmg_diagnose_input(s, f, p.guess);
  if (p.result.outcome == GMG_NOT_FINITE || p.result.outcome == GMG_DIVERGED)
    forget_iterates(s);
  if (s->singular && p.result.outcome != GMG_NOT_FINITE) {
    gmg_call_set(s->shift_u, "s", -gmg_reduce(&s->mean_u, NULL) / s->volume);
    gmg_call_run(s->shift_u);
  }
  store_u(s, u);
  p.result.solve_seconds = gmg_seconds() - p.begin;
  if (gmg_diagnose_wanted(s, &p.result))
    gmg_diagnose(s, &p.result, p.tolerance, gmg_measure_rounding(s, p.result.initial_norm, p.result.projected));
  if (s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed during the solve");
  status = gmg_agree(s->context, status);
  p.result.reason = s->reason;
  p.result.residual_history = s->residual_history;
  p.result.seconds_history = s->seconds_history;
  p.result.setup_seconds = s->setup_seconds;
  *result = p.result;
  return status;
}

gmg_status gmg_solver_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess, gmg_result *result)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_status status = gmg_agree(solver->context, check_arrays(solver, f, u, result));
  if (!status)
    status = gmg_record_solve(solver, f, use_guess ? u : NULL);
  if (!status)
    status = solve(solver, f, u, use_guess, result);
  gmg_account(outer);
  return status;
}
