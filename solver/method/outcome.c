#include "outcome.h"

#include "system/threads.h"
#include "cycle/precision.h"
#include "cycle/rounding.h"
#include "stop.h"

#include <math.h>
#include <stdio.h>

enum {
  STALL_WINDOW = 10, /* cycles over which a residual that hardly falls is called stalled */
  DIVERGE_CYCLES =
    3, /* growth before this many cycles is not divergence: a jump of 1e6 can do it */
};
#define STALL_FACTOR 0.9
#define DIVERGE_FACTOR 1e6
/* The residual is what rounding leaves where it is at most so many times the estimate of that; or
 * so many, where a cycle leaves more than a factor of it. A cycle that leaves more than the smaller
 * factor has the estimate made. */
#define LIMITS 1.5
#define STOPPED_LIMITS 2.5
#define STOPPED_FACTOR 0.8
#define SLOW_FACTOR 0.5
#define WORST_LIMIT \
  1e-3 /* of the right side: a larger residual is none to be content with, whatever rounding \
          leaves */
/* The estimate is measured again before it decides, unless the residual was less than 5 times as
 * large when it was measured; and whenever the residual has become smaller by four digits. A
 * residual within 3 times the limit counts as near it. */
#define CONFIRMS 0.2
#define NEAR 3.0
#define LIMIT_LASTS 1e-4
#define LARGE_JUMP 10.0 /* of β on two faces of a cell: worth a word */

const char *gmg_outcome_text(gmg_outcome outcome)
{
  static const char *const text[] = {"converged",  "max_cycles",     "stalled",    "diverged",
                                     "not_finite", "rounding_limit", "interrupted"};
  return (int)outcome >= 0 && (size_t)outcome < sizeof text / sizeof *text ? text[outcome]
                                                                           : "unknown";
}

static void measure_limit(struct gmg_solver *s, struct gmg_progress *p, double norm)
{
  p->limit = gmg_rounding(s, p->result.initial_norm, p->result.projected);
  p->limit_norm = norm;
}

/* Whether the residual is so many times what rounding leaves at most. What was measured where the
 * residual was far larger is measured again before it decides. */
static int within(struct gmg_solver *s, struct gmg_progress *p, double norm, double most)
{
  if (norm > NEAR * most * p->limit && norm > LIMIT_LASTS * p->limit_norm)
    return 0;
  if (norm < CONFIRMS * p->limit_norm)
    measure_limit(s, p, norm);
  return norm <= most * p->limit;
}

/* Whether u is as exact as double precision holds it. Where β jumps the limit is measured
 * beforehand: residuals there go up again after it. Elsewhere they stay, and it is measured once a
 * cycle is slow. */
static int at_limit(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  const double *history = s->residual_history;
  if (cycle == 0 || p->tolerance == 0 || p->estimated || norm > WORST_LIMIT * p->reference)
    return 0;
  const int slow = norm >= SLOW_FACTOR * history[cycle - 1],
            stopped = norm >= STOPPED_FACTOR * history[cycle - 1];
  if (p->limit == 0 && (slow || s->jump > LARGE_JUMP))
    measure_limit(s, p, norm);
  if (p->limit == 0)
    return 0;
  if (within(s, p, norm, LIMITS))
    return 1;
  /* Behind the limit it may have gone up a little; the norm before may be an estimate. */
  return stopped && within(s, p, norm, 4 * STOPPED_LIMITS)
    && within(s, p, fmin(norm, history[cycle - 1]), STOPPED_LIMITS);
}

static void say_limit(struct gmg_solver *s, const struct gmg_progress *p, int cycle, double norm)
{
  const double reach = 3 * fmax(norm, p->limit) / p->reference;
  int used = snprintf(
    s->reason, sizeof s->reason,
    "after %d cycles the residual norm is %.3e, and rounding u to double leaves about %.1e: the "
    "tolerance of %.3e is beyond double precision",
    cycle, norm, p->limit, p->tolerance);
  if (s->jump > LARGE_JUMP)
    used += snprintf(s->reason + used, sizeof s->reason - (size_t)used,
                     " for a beta that differs by a factor %.0e between neighbours", s->jump);
  snprintf(s->reason + used, sizeof s->reason - (size_t)used, "; rtol=%.0e is within reach", reach);
}

int gmg_outcome_note(struct gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
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
             cycle ? "after cycle %d the residual is %s"
                   : "at the start (cycle %d) the residual is %s",
             cycle, isnan(norm) ? "not a number" : "infinite");
    return 1;
  }
  if (norm <= p->tolerance) {
    result->outcome = GMG_CONVERGED;
    snprintf(s->reason, sizeof s->reason, "the residual norm %.3e is at most %.3e after %d cycles",
             norm, p->tolerance, cycle);
    return 1;
  }
  if (at_limit(s, p, cycle, norm)) {
    result->outcome = GMG_ROUNDING_LIMIT;
    say_limit(s, p, cycle, norm);
    return 1;
  }
  if (gmg_stop_agreed(s)) {
    result->outcome = GMG_INTERRUPTED;
    snprintf(s->reason, sizeof s->reason,
             "it was asked to stop after cycle %d, where the residual norm is %.3e, more than %.3e",
             cycle, norm, p->tolerance);
    return 1;
  }
  if (s->krylov.on && s->krylov.breakdown) {
    result->outcome = GMG_STALLED;
    snprintf(s->reason, sizeof s->reason,
             "BiCGStab broke down in iteration %d, where the residual norm is %.3e: %s", cycle,
             norm, s->krylov.breakdown);
    return 1;
  }
  if (cycle >= DIVERGE_CYCLES && norm > DIVERGE_FACTOR * history[0] && norm > history[cycle - 1]
      && history[cycle - 1] > history[cycle - 2]) {
    result->outcome = GMG_DIVERGED;
    snprintf(s->reason, sizeof s->reason,
             "after %d cycles the residual norm is %.3e, %.1e times that at the start, and grows",
             cycle, norm, norm / history[0]);
    return 1;
  }
  if (p->tolerance > 0 && cycle > p->raised + STALL_WINDOW
      && norm > STALL_FACTOR * history[cycle - STALL_WINDOW]
      && norm > STALL_FACTOR * history[cycle - STALL_WINDOW / 2]) {
    result->outcome = GMG_STALLED;
    snprintf(s->reason, sizeof s->reason,
             "in the last %d cycles the residual norm went from %.3e to %.3e", STALL_WINDOW,
             history[cycle - STALL_WINDOW], norm);
    return 1;
  }
  result->outcome = GMG_MAX_CYCLES;
  snprintf(s->reason, sizeof s->reason, "after %d cycles the residual norm is %.3e, more than %.3e",
           cycle, norm, p->tolerance);
  return cycle == s->options.max_cycles;
}

const char *gmg_outcome_too_low(const struct gmg_solver *s, const struct gmg_progress *p, int cycle,
                                int over)
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
