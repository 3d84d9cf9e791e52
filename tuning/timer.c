#include "timer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double now(const struct gmg_timer_clock *clock)
{
  if (clock && clock->seconds)
    return clock->seconds(clock->context);
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *sorted, int count)
{
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* Returns how many values from either end the bound of the median stands: of n values the true
 * median lies beyond the k-th (from 1) with the probability that at most k - 1 of n fair coins fall
 * on one side, which must not exceed 5 %. Returns 0 where no value is far enough out. */
static int bound_place(int count)
{
  double below = 0, log_term = -count * log(2); /* of the probability of k coins */
  int k = 0;
  for (; k <= count; k++) {
    below += exp(log_term);
    if (below > 0.05)
      break;
    log_term += log((double)(count - k) / (k + 1));
  }
  return k;
}

/* Fills the result of a call from its times and the first call's; sorts `times`. */
static void evaluate(double *times, const double *first, double *ratios, int rounds,
                     struct gmg_timer_result *result)
{
  for (int r = 0; r < rounds; r++)
    ratios[r] = times[r] / first[r];
  qsort(ratios, (size_t)rounds, sizeof *ratios, compare);
  qsort(times, (size_t)rounds, sizeof *times, compare);
  result->minimum = times[0];
  result->median = median(times, rounds);
  result->ratio = median(ratios, rounds);
  const int place = bound_place(rounds);
  result->ratio_low = place ? ratios[place - 1] : 0;
  result->ratio_high = place ? ratios[rounds - place] : INFINITY;
}

/* Runs all rounds. times: [call][round]. */
static int take_times(const struct gmg_timer_call *call, int count, int rounds,
                      const struct gmg_timer_clock *clock, double *times)
{
  for (int n = 0; n < count; n++) {
    const int status = call[n].run(call[n].context);
    if (status != 0)
      return status;
  }
  for (int r = 0; r < rounds; r++)
    for (int turn = 0; turn < count; turn++) {
      const int n = (r + turn) % count;
      const double begin = now(clock);
      const int status = call[n].run(call[n].context);
      times[(size_t)n * (size_t)rounds + (size_t)r] = fmax(now(clock) - begin, 1e-9);
      if (status != 0)
        return status;
    }
  return 0;
}

int gmg_timer_in_turns(const struct gmg_timer_call *call, int count, int rounds,
                       const struct gmg_timer_clock *clock, struct gmg_timer_result *result)
{
  const size_t row = (size_t)rounds;
  double *times = malloc((size_t)(count + 1) * row * sizeof *times);
  if (!times)
    return -1;
  const int status = take_times(call, count, rounds, clock, times);
  for (int n = count - 1; n >= 0 && status == 0; n--) /* the first one's are sorted last */
    evaluate(times + (size_t)n * row, times, times + (size_t)count * row, rounds, &result[n]);
  free(times);
  return status;
}

int gmg_timer_noise(const struct gmg_timer_call *call, int rounds,
                    const struct gmg_timer_clock *clock, double *noise)
{
  const struct gmg_timer_call twice[2] = {*call, *call};
  struct gmg_timer_result result[2];
  const int status = gmg_timer_in_turns(twice, 2, rounds, clock, result);
  *noise = status == 0 ? fmax(result[1].ratio_high - 1, 1 - result[1].ratio_low) : INFINITY;
  return status;
}
