/* Ways to take the steps of a program, made, compared and timed beside the default one. */
#ifndef GMG_IO_TUNE_CANDIDATES_H
#define GMG_IO_TUNE_CANDIDATES_H

#include "choice.h"
#include "step_time.h"

enum { CANDIDATES_STEPS = 2 * 16 + 1 };

/* The program that is tuned, and what was found so far. */
struct tuning {
  const struct run_request *request; /* as by default */
  struct beginning at;               /* the program as by default, which is kept */
  struct progress progress;
  struct failure *failure;
  int on_device, ranks;
  double boxes, threads;               /* of all ranks; of the one that has the most */
  double turn;                         /* seconds of a turn, about */
  double end;                          /* of the search, as progress_seconds counts */
  double step;                         /* seconds of a step as by default */
  uint64_t bits[CANDIDATES_STEPS + 1]; /* of the default after so many steps, */
  char known[CANDIDATES_STEPS + 1];    /* where this is 1 */
  int tried, refused, discarded;
};

/* Times of a candidate; `ratio` is infinite where it does not count. */
struct trial_result {
  struct step_time time;
  int out_of_time; /* 1: there was not enough left to try it */
};

/* Makes the way that the choice says, compares what it computes with the default and, unless it is
 * far slower, times both in turns, so many rounds; a line tells of it. Errors: those of
 * gmg_program_run: STATUS_MACHINE. A way that cannot be made is none. Calls: collective. */
int candidate_try(struct tuning *tuning, const gmg_program_choice *choice, int rounds,
                  struct trial_result *result);
/* Whether the time is over, or somebody has asked to end. Calls: collective. */
int candidate_time_is_over(const struct tuning *tuning, double seconds);

#endif
