/* Times calls against each other, in turns, so that what disturbs the machine disturbs all. */
#ifndef GMG_TIMER_H
#define GMG_TIMER_H

/* Something to time. `run` returns 0 on success, and ends the timing with any other value. */
struct gmg_timer_call {
  int (*run)(void *context);
  void *context;
};

/* Where times come from; `seconds` NULL: the system's clock. */
struct gmg_timer_clock {
  double (*seconds)(void *context);
  void *context;
};

/* Of one call. Ratios are its times divided by the first call's of the same round; the true median
 * of the ratio is above `ratio_low`, and below `ratio_high`, each with 95 % confidence. */
struct gmg_timer_result {
  double minimum, median;
  double ratio, ratio_low, ratio_high; /* the median ratio and its bounds */
};

enum { GMG_TIMER_LEAST_ROUNDS = 5 }; /* with fewer the bounds are 0 and INFINITY */

/* Runs each call once untimed, then all calls `rounds` times in turns, each round beginning with
 * another one. Returns 0, the first other value of a call, or -1 if memory is short. */
int gmg_timer_in_turns(const struct gmg_timer_call *call, int count, int rounds,
                       const struct gmg_timer_clock *clock, struct gmg_timer_result *result);

/* Times a call against itself: *noise is the least fraction by which another call must differ
 * from it so that as many rounds can tell. Returns as gmg_timer_in_turns. */
int gmg_timer_noise(const struct gmg_timer_call *call, int rounds,
                    const struct gmg_timer_clock *clock, double *noise);

#endif
