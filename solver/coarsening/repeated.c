#include "repeated.h"

#include "setup/steps.h"

#include <math.h>

/* What repeated setups and iterations cost, in iterations with plain levels: bubbles at 64³ to 128³
 * on one and on eight threads (docs/performance/owners.md). Levels of the other kind are worth a
 * setup from nothing where they cost CLEARLY_LESS of what these do. */
#define PLAIN_SETUP 1.5
#define OWNED_SETUP 9.0
#define OWNED_ITERATION 2.1
#define CLEARLY_LESS 0.85
/* Conjugate gradients gain at least so many times the decades of plain cycles. Plain levels are
 * tried where so few iterations suffice, and taken so often at most. */
#define KRYLOV_GAIN 3.0
enum { FEW_ITERATIONS = 40, MOST_TIMES_PLAIN = 2, MOST_AGAIN = 2 };
#define LEAST_RATE 1e-6 /* decades in an iteration, of solves that failed */
#define SLOW_RATE 0.1   /* where plain levels that no trial found slow are tried once more */

void gmg_coarsening_note(gmg_solver *s, const gmg_result *result)
{
  const double *history = s->report.residual_history;
  const int last = result->cycles;
  s->problem.kinds.iterations += last;
  if (last > 0 && history[last] > 0 && history[last] < history[0])
    s->problem.kinds.decades += log10(history[0] / history[last]);
}

/* What a repeated setup and the solves after it cost, in iterations with plain levels. */
static double cost_of(int owners, double iterations)
{
  return owners ? OWNED_SETUP + OWNED_ITERATION * iterations : PLAIN_SETUP + iterations;
}

/* Whether plain levels, of which only the trial's factor is known, surely take few iterations. */
static int is_safe(const struct gmg_kinds *kinds, double decades)
{
  return decades <= -KRYLOV_GAIN * log10(kinds->factor) * FEW_ITERATIONS;
}

/* Whether the other kind of levels would have cost clearly less for so many decades. */
static int pays(const struct gmg_kinds *kinds, int owners, double decades, double iterations)
{
  const int other = !owners;
  if (owners && kinds->times_plain == MOST_TIMES_PLAIN)
    return 0;
  if (kinds->rate[other] == 0)
    return is_safe(kinds, decades);
  return cost_of(other, decades / kinds->rate[other]) < CLEARLY_LESS * cost_of(owners, iterations);
}

/* Whether a β that came later may ask for owners, which the first one did not: solves are slow. */
static int is_slow(const gmg_solver *s, double decades, double iterations)
{
  return s->problem.jump > GMG_STEP_RATIO && decades < SLOW_RATE * iterations;
}

int gmg_coarsening_turns(gmg_solver *s)
{
  struct gmg_kinds *kinds = &s->problem.kinds;
  const int owners = s->hierarchy.owners != NULL;
  const double decades = kinds->decades, iterations = kinds->iterations;
  kinds->decades = kinds->iterations = 0;
  if (iterations == 0 || kinds->factor == 0) {
    const int chooses = kinds->again < MOST_AGAIN && is_slow(s, decades, iterations);
    kinds->again += chooses;
    return chooses;
  }
  kinds->rate[owners] = fmax(decades / iterations, LEAST_RATE);
  if (!pays(kinds, owners, decades, iterations))
    return 0;
  kinds->times_plain += owners;
  kinds->turned = 1;
  kinds->owners = !owners;
  gmg_report_fallback(&s->report, "coarsening auto: levels are made anew, %s: %.0f iterations %s",
                      owners ? "plain" : "with owners", iterations,
                      owners ? "are few beside the plan of owners" : "were many");
  return 1;
}
