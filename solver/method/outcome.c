#include "outcome.h"

#include "system/threads.h"
#include "cycle/precision.h"
#include "krylov.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  /* Cycles over which a residual that hardly falls is called stalled; and iterations of a Krylov
   * method, whose residual may stand still so long and then fall, beside hard bodies. */
  STALL_WINDOW = 10,
  KRYLOV_WINDOW = 25,
  DIVERGE_CYCLES = 3, /* growth in fewer is not divergence: a jump of 1e6 can do it */
  GROWTH_CYCLES = 2,  /* after so many it is early to say, and not too early to do something; */
  IDLE_CYCLES = 6,    /* likewise, of a residual that has not fallen yet */
};
#define STALL_FACTOR 0.9
#define DIVERGE_FACTOR 1e6
#define GROWTH_FACTOR 10.0
/* A residual of at most LIMITS times the estimate is what rounding leaves; of STOPPED_LIMITS times,
 * where a cycle leaves more than STOPPED_FACTOR of it. After a SLOW_FACTOR the estimate is made. */
#define LIMITS 1.5
#define STOPPED_LIMITS 2.5
#define STOPPED_FACTOR 0.8
#define SLOW_FACTOR 0.5
#define WORST_LIMIT 1e-3 /* of the right side: no larger residual is accepted as the limit */
/* The estimate is made anew before it decides, unless the residual was less than 5 times as large
 * when it was made; and whenever the residual has lost four digits. NEAR: times the limit. */
#define CONFIRMS 0.2
#define NEAR 3.0
#define LIMIT_LASTS 1e-4
#define LARGE_JUMP 10.0                      /* of β on two faces of a cell: worth a word */
#define HALF_UNIT (1.0 / 9007199254740992.0) /* 2⁻⁵³ */
/* Errors evenly spread in half a unit, of seven terms that add up in the mean square, over the sum
 * of the terms' sizes; and the largest of many such errors. */
#define MEAN 0.22
#define LARGEST (4 * MEAN)

const char *gmg_outcome_text(gmg_outcome outcome)
{
  static const char *const text[] = {"converged",  "max_cycles",     "stalled",    "diverged",
                                     "not_finite", "rounding_limit", "interrupted"};
  return (int)outcome >= 0 && (size_t)outcome < GMG_LENGTH(text) ? text[outcome] : "unknown";
}

void gmg_outcome_say(gmg_solver *s, const char *format, ...)
{
  const size_t used = strlen(s->report.reason);
  va_list list;
  va_start(list, format);
  vsnprintf(s->report.reason + used, sizeof s->report.reason - used, format, list);
  va_end(list);
}

double gmg_outcome_limit(gmg_solver *s, const struct gmg_progress *p)
{
  struct gmg_reducer *terms = gmg_krylov_apart(s) ? &s->krylov.terms : &s->hierarchy.terms;
  double most;
  gmg_reducer_forget(terms);
  const double squares = gmg_reduce(terms, &most);
  const int largest = s->problem.options.norm == GMG_NORM_MAX;
  const double of_u = HALF_UNIT * (largest ? LARGEST * most : MEAN * sqrt(squares)),
               of_f = HALF_UNIT * p->result.initial_norm;
  /* What is left of a mean that was taken off. */
  return of_u + of_f
    + 8 * HALF_UNIT * fabs(p->result.projected)
    * (largest ? 1 : sqrt((double)s->hierarchy.finest->cells));
}

static void measure_limit(gmg_solver *s, struct gmg_progress *p, double norm)
{
  p->limit = gmg_outcome_limit(s, p);
  p->limit_norm = norm;
}

/* Whether the residual is at most `most` times what rounding leaves. */
static int within(gmg_solver *s, struct gmg_progress *p, double norm, double most)
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
static int at_limit(gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  const double *history = s->report.residual_history;
  if (cycle == 0 || p->tolerance == 0 || p->phase == GMG_AHEAD_OF_U
      || norm > WORST_LIMIT * p->reference)
    return 0;
  const int slow = norm >= SLOW_FACTOR * history[cycle - 1],
            stopped = norm >= STOPPED_FACTOR * history[cycle - 1];
  if (p->limit == 0 && (slow || s->problem.jump > LARGE_JUMP))
    measure_limit(s, p, norm);
  if (p->limit == 0)
    return 0;
  if (within(s, p, norm, LIMITS))
    return 1;
  /* After the limit it may have gone up a little; the norm before may be an estimate. */
  return stopped && within(s, p, norm, 4 * STOPPED_LIMITS)
    && within(s, p, fmin(norm, history[cycle - 1]), STOPPED_LIMITS);
}

static void say_limit(gmg_solver *s, const struct gmg_progress *p, int cycle, double norm)
{
  gmg_outcome_say(
    s,
    "after %d cycles the residual norm is %.3e, and rounding u to double leaves about %.1e: the "
    "tolerance of %.3e is beyond double precision",
    cycle, norm, p->limit, p->tolerance);
  if (s->problem.jump > LARGE_JUMP)
    gmg_outcome_say(s, " for a beta that differs by a factor %.0e between neighbours",
                    s->problem.jump);
  gmg_outcome_say(s, "; rtol=%.0e is within reach", 3 * fmax(norm, p->limit) / p->reference);
}

/* Whether the residual grows without bound. */
static int diverges(const double *history, int cycle, double norm)
{
  return cycle >= DIVERGE_CYCLES && norm > DIVERGE_FACTOR * history[0] && norm > history[cycle - 1]
    && history[cycle - 1] > history[cycle - 2];
}

/* The least norm of some cycles. */
static double least(const double *history, int first, int last)
{
  double found = history[last];
  for (int cycle = first > 0 ? first : 0; cycle < last; cycle++)
    found = fmin(found, history[cycle]);
  return found;
}

/* Single precision that stands still is left for double at once. */
static int stall_window(const gmg_solver *s)
{
  return s->krylov.on && !gmg_refines(&s->hierarchy) ? KRYLOV_WINDOW : STALL_WINDOW;
}

/* Whether the residual has hardly fallen in the last cycles. It goes up and down beside hard
 * bodies: so the least one of as many cycles counts, too. */
static int stalls(const gmg_solver *s, const struct gmg_progress *p, int cycle, double norm)
{
  const double *history = s->report.residual_history;
  const int window = stall_window(s), before = cycle - window;
  return p->tolerance > 0 && before > p->raised_after && norm > STALL_FACTOR * history[before]
    && norm > STALL_FACTOR * history[cycle - window / 2]
    && least(history, before + 1, cycle)
    > STALL_FACTOR * least(history, before - window + 1, before);
}

/* How the solve would end with this norm; GMG_MAX_CYCLES: it goes on if it may. */
static gmg_outcome judge(gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  const double *history = s->report.residual_history;
  if (!isfinite(norm))
    return GMG_NOT_FINITE;
  if (norm <= p->tolerance)
    return GMG_CONVERGED;
  if (at_limit(s, p, cycle, norm))
    return GMG_ROUNDING_LIMIT;
  if (s->context->comm.stopped)
    return GMG_INTERRUPTED;
  if (s->krylov.on && s->krylov.breakdown)
    return GMG_STALLED;
  if (diverges(history, cycle, norm))
    return GMG_DIVERGED;
  return stalls(s, p, cycle, norm) ? GMG_STALLED : GMG_MAX_CYCLES;
}

/* The reason for an outcome, in a sentence. */
static void explain(gmg_solver *s, const struct gmg_progress *p, int cycle, double norm)
{
  const double *history = s->report.residual_history;
  s->report.reason[0] = 0;
  switch (p->result.outcome) {
  case GMG_NOT_FINITE:
    gmg_outcome_say(
      s, cycle ? "after cycle %d the residual is %s" : "at the start (cycle %d) the residual is %s",
      cycle, isnan(norm) ? "not a number" : "infinite");
    break;
  case GMG_CONVERGED:
    gmg_outcome_say(s, "the residual norm %.3e is at most %.3e after %d cycles", norm, p->tolerance,
                    cycle);
    break;
  case GMG_ROUNDING_LIMIT:
    say_limit(s, p, cycle, norm);
    break;
  case GMG_INTERRUPTED:
    gmg_outcome_say(
      s, "it was asked to stop after cycle %d, where the residual norm is %.3e, more than %.3e",
      cycle, norm, p->tolerance);
    break;
  case GMG_DIVERGED:
    gmg_outcome_say(
      s, "after %d cycles the residual norm is %.3e, %.1e times that at the start, and grows",
      cycle, norm, norm / history[0]);
    break;
  case GMG_STALLED:
    if (s->krylov.on && s->krylov.breakdown)
      gmg_outcome_say(s, "BiCGStab broke down in iteration %d, where the residual norm is %.3e: %s",
                      cycle, norm, s->krylov.breakdown);
    else
      gmg_outcome_say(s, "in the last %d cycles the residual norm went from %.3e to %.3e",
                      stall_window(s), history[cycle - stall_window(s)], norm);
    break;
  case GMG_MAX_CYCLES:
    gmg_outcome_say(s, "after %d cycles the residual norm is %.3e, more than %.3e", cycle, norm,
                    p->tolerance);
  }
}

int gmg_outcome_note(gmg_solver *s, struct gmg_progress *p, int cycle, double norm)
{
  gmg_result *result = &p->result;
  s->report.residual_history[cycle] = norm;
  s->report.seconds_history[cycle] = gmg_seconds() - p->begin;
  result->cycles = cycle;
  result->relative_residual = norm == 0 ? 0 : norm / p->reference;
  if (s->report.monitor)
    s->report.monitor(s->report.monitor_user, cycle, norm, result->relative_residual,
                      s->report.seconds_history[cycle]);
  result->outcome = judge(s, p, cycle, norm);
  explain(s, p, cycle, norm);
  return result->outcome != GMG_MAX_CYCLES || cycle == s->problem.options.max_cycles;
}

int gmg_outcome_grows(const gmg_solver *s, const struct gmg_progress *p, int cycle)
{
  const double norm = s->report.residual_history[cycle];
  if (p->result.outcome == GMG_INTERRUPTED)
    return 0;
  return p->result.outcome == GMG_STALLED
    || (cycle >= GROWTH_CYCLES && !(norm <= GROWTH_FACTOR * p->reference))
    || (cycle >= IDLE_CYCLES && norm > STALL_FACTOR * p->reference);
}

const char *gmg_outcome_too_low(const gmg_solver *s, const struct gmg_progress *p, int cycle,
                                int over)
{
  const double norm = s->report.residual_history[cycle];
  if (!gmg_refines(&s->hierarchy) || cycle == 0)
    return NULL;
  if (!isfinite(norm))
    return "overflowed";
  if (over && (p->result.outcome == GMG_STALLED || p->result.outcome == GMG_DIVERGED))
    return "stagnated";
  return NULL;
}
