/* A candidate of a level, timed. */
#ifndef GMG_SETUP_TRIAL_H
#define GMG_SETUP_TRIAL_H

#include "problem/solver.h"
#include "runtime/tune.h"
#include "runtime/tuned.h"
#include "tuning/search.h"
#include "tuning/timer.h"

enum { GMG_TRIAL_COMPARED = GMG_SEARCH_FINALISTS + 1 }; /* that are timed in turns, at most */
/* What a turn takes at least, in as many cycles as that needs. */
#define GMG_TRIAL_TURN 0.5e-3

/* The search on one level. */
struct gmg_level_search {
  gmg_solver *solver;
  struct gmg_tune *tune;
  int l, alone; /* alone: cycles begin on the level */
  /* of the rank that has the most, alike on all: cells, those of its first box, bytes of a row of
   * it and of the second-level cache */
  double cells, box[3], row, cache;
  struct gmg_choice begin; /* that the level was set up with: the rules' or wisdom's */
  uint64_t bits;           /* of what the rules' choices compute */
  double seconds;          /* with them */
  double drift;            /* what they took last over that: how fast the machine is now */
  int since;               /* candidates since then */
  double spent;            /* seconds, in cycles */
  double part;             /* of the rounds that comparisons should have, which there is time for */
  double late; /* seconds that the search's clock is ahead, so that it ends: a stop was asked for */
  char subject[GMG_WISDOM_SUBJECT + 40];
};

/* What a search costs (tuning/search.h): the least seconds of some cycles from the level on, as if
 * the machine were as fast as it was for the rules' choices, which are the first candidate;
 * INFINITY for a candidate of other bits. Calls: collective, as all of these. */
double gmg_trial_cost(void *search, const int *candidate);
struct gmg_choice gmg_trial_choice(const int *candidate);
/* Whether a turn is short enough for many of them. */
int gmg_trial_is_short(const struct gmg_level_search *search);
/* The largest of all ranks; NaN where MPI failed, which the context notes. */
double gmg_trial_largest(gmg_context *context, double value);
/* The slowest rank's clock. */
double gmg_trial_now(void *search);
/* Times choices in turns; the first one is what the others are compared with. Nothing needs to be
 * agreed on, as all ranks have the same times. */
gmg_status gmg_trial_compare(struct gmg_level_search *search, const struct gmg_choice *choice,
                             int count, int rounds, struct gmg_timer_result *result);

#endif
