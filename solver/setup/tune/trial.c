#include "trial.h"

#include "problem/choices.h"
#include "cycle/cycle.h"
#include "cycle/precision.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"
#include "runtime/bind.h"
#include "system/threads.h"

#include <math.h>

enum {
  LEAST_TURNS = 3,
  DRIFT = 12 /* candidates after which the rules' choices are timed again */
};

struct gmg_choice gmg_trial_choice(const int *candidate)
{
  struct gmg_choice choice;
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    *gmg_choice_member(&choice, n) = candidate[n];
  return choice;
}

/* What comes before a cycle's time, from u = 0: on the finer level what a cycle does there first,
 * so that the level finds the caches as in a solve; on the finest level the way down. */
static void lead_up(struct gmg_hierarchy *h, const struct gmg_level_search *search)
{
  if (search->l == 0 || search->alone)
    gmg_call_run(h->level[search->l].zero);
  if (search->l == 0) {
    gmg_cycle_down(h, 0, NULL, 0);
  } else if (!search->alone) {
    gmg_smooth_from_zero(h, search->l - 1);
    gmg_restrict_residual(h, search->l - 1, NULL, 0);
  }
}

/* One cycle from the level on. On the finest one it ends as a solve's do: with the next one's way
 * down, and the norm. */
static void run_cycle(struct gmg_level_search *search)
{
  struct gmg_hierarchy *h = &search->solver->hierarchy;
  struct gmg_reducer *norm = gmg_refines(h) ? &h->level[0].norm : &h->norm;
  double most;
  lead_up(h, search);
  gmg_call_wait(h->context);
  const double begin = gmg_seconds();
  if (search->l > 0) {
    gmg_cycle_from_zero(h, search->l, h->cycle);
  } else {
    gmg_cycle_up(h, 0, h->cycle);
    gmg_cycle_down(h, 0, norm, 0);
    gmg_reduce(norm, &most);
  }
  gmg_call_wait(h->context);
  search->spent += gmg_seconds() - begin;
}

static uint64_t hash_u(struct gmg_level_search *search)
{
  struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  void **u = gmg_level_open(level, GMG_NAME_U, GMG_READ)->box;
  uint64_t hash = 0;
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    for (int k = 0; k < box->cells[2]; k++)
      for (int j = 0; j < box->cells[1]; j++)
        for (int i = 0; i < box->cells[0]; i++)
          hash = (hash ^ gmg_bits(gmg_level_value(level, u[b], gmg_offset(box, i, j, k))))
            * 1099511628211u;
  }
  return hash;
}

double gmg_trial_largest(gmg_context *context, double value)
{
  const int error = gmg_comm_max(&context->comm, &value, 1);
  if (error)
    context->mpi_error = error;
  return error ? NAN : value;
}

double gmg_trial_now(void *context)
{
  const struct gmg_level_search *search = context;
  return gmg_trial_largest(search->solver->context, gmg_seconds());
}

/* The time of the slowest rank's cycles. */
static double spent(void *context)
{
  const struct gmg_level_search *search = context;
  return gmg_trial_largest(search->solver->context, search->spent);
}

/* The seconds of one cycle with a choice; INFINITY where it could not be taken. */
static double time_cycle(struct gmg_level_search *search, const struct gmg_choice *choice)
{
  const int failed = gmg_choices_set(search->solver, search->l, choice) != 0;
  if (gmg_trial_largest(search->solver->context, failed) != 0)
    return INFINITY;
  search->spent = 0;
  run_cycle(search);
  const double seconds = spent(search);
  return seconds > 0 ? seconds : INFINITY;
}

/* The fastest of some cycles. The first of them warms up, and gives the bits. `beside`, unless
 * NULL, is timed in turns with it, and *beside_seconds, which is infinite, its fastest one. */
static double measure(struct gmg_level_search *search, const struct gmg_choice *choice,
                      const struct gmg_choice *beside, double *beside_seconds, uint64_t *bits)
{
  double best = time_cycle(search, choice), all = 0;
  if (isinf(best))
    return best;
  *bits = hash_u(search);
  best = INFINITY;
  for (int turn = 0; turn < LEAST_TURNS || all < GMG_TRIAL_TURN; turn++) {
    const double other = beside ? time_cycle(search, beside) : 0;
    const double seconds = time_cycle(search, choice);
    if (isinf(seconds) || isinf(other))
      return INFINITY;
    if (beside)
      *beside_seconds = fmin(*beside_seconds, other);
    best = fmin(best, seconds);
    all += seconds;
  }
  return best;
}

/* Other programs and guests make a machine faster and slower, for seconds or minutes, and for less:
 * a level whose cycles are short is timed in turns with the rules' choices. */
static void look_for_drift(struct gmg_level_search *search)
{
  static const struct gmg_choice rules;
  uint64_t bits;
  if (search->since++ % DRIFT || gmg_trial_is_short(search))
    return;
  const double seconds = measure(search, &rules, NULL, NULL, &bits);
  if (isfinite(seconds))
    search->drift = seconds / search->seconds;
}

int gmg_trial_is_short(const struct gmg_level_search *search)
{
  const double most = 0.02;
  return search->seconds < most;
}

/* The rules' choices come first. Seconds as if the machine were as fast as it was then. */
double gmg_trial_cost(void *context, const int *candidate)
{
  static const struct gmg_choice rules;
  struct gmg_level_search *search = context;
  const struct gmg_choice choice = gmg_trial_choice(candidate);
  const int is_rules = choice.passes == 0;
  double beside_seconds = INFINITY;
  uint64_t bits = 0;
  if (!is_rules)
    look_for_drift(search);
  const int in_turns = !is_rules && gmg_trial_is_short(search);
  const double seconds = measure(search, &choice, in_turns ? &rules : NULL, &beside_seconds, &bits);
  if (isinf(seconds))
    return INFINITY;
  search->tune->measured++;
  if (is_rules) {
    search->bits = bits;
    search->seconds = seconds;
    search->drift = 1;
    search->since = 1;
  }
  if (gmg_trial_largest(search->solver->context, bits != search->bits) == 0)
    return seconds / (in_turns ? beside_seconds / search->seconds : search->drift);
  search->tune->discarded++;
  return INFINITY;
}

/* For timing in turns: cycles with one of two choices. */
struct turn {
  struct gmg_level_search *search;
  struct gmg_choice choice;
};

static int take_turn(void *context)
{
  struct turn *turn = context;
  const int failed = gmg_choices_set(turn->search->solver, turn->search->l, &turn->choice);
  const int cycles = (int)fmin(100, fmax(1, ceil(GMG_TRIAL_TURN / turn->search->seconds)));
  for (int n = 0; n < cycles; n++)
    run_cycle(turn->search);
  return failed;
}

/* Times choices in turns, the first one is what the others are compared with. Nothing needs to be
 * agreed on, as all read what the slowest rank spent. */
gmg_status gmg_trial_compare(struct gmg_level_search *search, const struct gmg_choice *choice,
                             int count, int rounds, struct gmg_timer_result *result)
{
  struct turn turn[GMG_TRIAL_COMPARED];
  struct gmg_timer_call call[GMG_TRIAL_COMPARED];
  const struct gmg_timer_clock clock = {spent, search};
  for (int n = 0; n < count; n++) {
    turn[n] = (struct turn){search, choice[n]};
    call[n] = (struct gmg_timer_call){take_turn, &turn[n]};
  }
  return gmg_timer_in_turns(call, count, rounds, &clock, result)
    ? gmg_no_memory(search->solver->context, "while levels were tuned")
    : GMG_OK;
}
