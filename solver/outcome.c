#include "outcome.h"

#include "openmp/threads.h"
#include "precision.h"

#include <math.h>
#include <stdio.h>

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

const char *gmg_outcome_too_low(const struct gmg_solver *s, const struct gmg_progress *p, int cycle, int over)
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
