/* threads: 1
 * Preconditions: none; the clock is made up. What must vanish: the difference between the times and
 * ratios that were made up and those that are reported; bounds that do not hold the true ratio as
 * often as they promise; calls out of turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/timer.h"

/* A machine whose clock runs only while calls do. */
struct machine {
  double now, load; /* what disturbs it in a round makes all calls slower by this factor */
  double spread;    /* of the times of one call; 0: none */
  uint64_t random;
  int calls;
  char order[4096];
};

struct job {
  struct machine *machine;
  char name;
  double seconds;
  int fails_at; /* the call that fails; 0: none */
  int calls;
};

static double clock_of(void *context)
{
  return ((struct machine *)context)->now;
}

/* Returns a number between 0 and 1. */
static double random_of(struct machine *machine)
{
  machine->random = machine->random * 6364136223846793005u + 1442695040888963407u;
  return (double)(machine->random >> 11) / 9007199254740992.0;
}

static int run(void *context)
{
  struct job *job = context;
  struct machine *machine = job->machine;
  if (machine->calls < (int)sizeof machine->order - 1)
    machine->order[machine->calls] = job->name;
  machine->calls++;
  machine->load *= 1 + 0.01 * (random_of(machine) - 0.3); /* drifts, and slows down */
  machine->now += job->seconds * machine->load * (1 + machine->spread * random_of(machine));
  return ++job->calls == job->fails_at ? 7 : 0;
}

static void in_turns(void **state)
{
  (void)state;
  struct machine machine = {.load = 1};
  struct job job[3] = {
    {&machine, 'a', 1, 0, 0}, {&machine, 'b', 2, 0, 0}, {&machine, 'c', 3, 0, 0}};
  struct gmg_timer_call call[3] = {{run, &job[0]}, {run, &job[1]}, {run, &job[2]}};
  const struct gmg_timer_clock clock = {clock_of, &machine};
  struct gmg_timer_result result[3];
  assert_int_equal(gmg_timer_in_turns(call, 3, 4, &clock, result), 0);
  assert_string_equal(machine.order, "abcabcbcacababc");
  job[1].fails_at = job[1].calls + 3;
  assert_int_equal(gmg_timer_in_turns(call, 3, 4, &clock, result), 7);
  assert_int_equal(job[1].calls, job[1].fails_at);
  double noise;
  job[1].fails_at = job[1].calls + 1;
  assert_int_equal(gmg_timer_noise(&call[1], 4, &clock, &noise), 7);
}

/* The exact numbers of a machine that nothing disturbs, and the bounds of few rounds. */
static int exact_run(void *context)
{
  struct job *job = context;
  static const double times[] = {9, 4, 1, 3, 5, 2, 6}; /* the first is not timed */
  job->machine->now += job->seconds * (job->name == 'a' ? 1 : times[job->calls]);
  job->calls++;
  return 0;
}

static void exact(void **state)
{
  (void)state;
  struct machine machine = {.load = 1};
  struct job job[2] = {{&machine, 'a', 2, 0, 0}, {&machine, 'b', 1, 0, 0}};
  struct gmg_timer_call call[2] = {{exact_run, &job[0]}, {exact_run, &job[1]}};
  const struct gmg_timer_clock clock = {clock_of, &machine};
  struct gmg_timer_result result[2];
  assert_int_equal(gmg_timer_in_turns(call, 2, 6, &clock, result), 0);
  assert_true(fabs(result[0].minimum - 2) < 1e-12 && fabs(result[0].median - 2) < 1e-12);
  assert_true(fabs(result[0].ratio - 1) < 1e-12 && fabs(result[0].ratio_high - 1) < 1e-12);
  assert_true(fabs(result[1].minimum - 1) < 1e-12 && fabs(result[1].median - 3.5) < 1e-12);
  assert_true(fabs(result[1].ratio - 1.75) < 1e-12);
  assert_true(fabs(result[1].ratio_low - 0.5) < 1e-12);
  assert_true(fabs(result[1].ratio_high - 3) < 1e-12);
  job[1].calls = 0;
  assert_int_equal(gmg_timer_in_turns(call, 2, 4, &clock, result), 0);
  assert_true(result[1].ratio_low == 0 && isinf(result[1].ratio_high));
}

/* On a machine that drifts by much more than calls differ: how often the true ratio is beyond a
 * bound must not exceed 5 %, but for chance, and bounds must be close. */
static void bounds(void **state)
{
  (void)state;
  enum { TRIALS = 2000 };
  static const int rounds[] = {5, 9, 20, 51};
  for (int r = 0; r < 4; r++) {
    int above = 0, below = 0;
    double width = 0;
    for (int n = 0; n < TRIALS; n++) {
      struct machine machine = {.load = 1, .spread = 0.2, .random = (uint64_t)n * 977 + 5};
      struct job job[2] = {{&machine, 'a', 1, 0, 0}, {&machine, 'b', 1.1, 0, 0}};
      struct gmg_timer_call call[2] = {{run, &job[0]}, {run, &job[1]}};
      const struct gmg_timer_clock clock = {clock_of, &machine};
      struct gmg_timer_result result[2];
      assert_int_equal(gmg_timer_in_turns(call, 2, rounds[r], &clock, result), 0);
      above += result[1].ratio_low > 1.1;
      below += result[1].ratio_high < 1.1;
      width += (result[1].ratio_high - result[1].ratio_low) / TRIALS;
    }
    printf("%d rounds: the true ratio is below the bounds in %.1f %%, above in %.1f %% of %d "
           "trials; they are %.3f apart\n",
           rounds[r], 100.0 * above / TRIALS, 100.0 * below / TRIALS, TRIALS, width);
    assert_true(above < 0.065 * TRIALS && below < 0.065 * TRIALS);
    assert_true(width < 0.5 / sqrt(rounds[r]));
  }
}

/* The noise of a machine is none where times repeat, and grows with their spread. */
static void noise(void **state)
{
  (void)state;
  double last = 0;
  for (int n = 0; n < 4; n++) {
    static const double spreads[] = {0.001, 0.01, 0.1, 1};
    struct machine machine = {.load = 1, .spread = spreads[n], .random = 3};
    struct job job = {&machine, 'a', 1, 0, 0};
    const struct gmg_timer_call call = {n ? run : exact_run, &job};
    const struct gmg_timer_clock clock = {clock_of, &machine};
    double found;
    assert_int_equal(gmg_timer_noise(&call, 21, &clock, &found), 0);
    printf("spread %g: noise %.4f\n", spreads[n], found);
    assert_true(n ? found > last && found < 1.5 * spreads[n] + 0.01 : found < 1e-12);
    last = found;
  }
  struct machine machine = {.load = 1};
  struct job job = {&machine, 'a', 1, 0, 0};
  const struct gmg_timer_call call = {run, &job};
  double few;
  assert_int_equal(gmg_timer_noise(&call, 3, NULL, &few), 0); /* by the system's clock */
  assert_true(isinf(few));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_turns), cmocka_unit_test(exact),
                                     cmocka_unit_test(bounds), cmocka_unit_test(noise)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
