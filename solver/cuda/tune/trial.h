/* One kernel on one level in one form and shape after the other: compared, and timed. */
#ifndef GMG_CUDA_TRIAL_H
#define GMG_CUDA_TRIAL_H

#include "candidates.h"
#include "runtime/launch.h"
#include "tuning/timer.h"

enum { GMG_TRIAL_FIELDS = 4 };

struct gmg_trial {
  struct gmg_device *device;
  struct gmg_call *call;
  CUevent event[2];
  int fields; /* that the kernel writes */
  struct gmg_level_array *array[GMG_TRIAL_FIELDS];
  CUdeviceptr d_saved[GMG_TRIAL_FIELDS]; /* their values before every comparison */
  char *expected[GMG_TRIAL_FIELDS];      /* what the default form makes of them; NULL: not known */
  char *found;
  struct gmg_reduction sums;
  double clock;                     /* seconds of the device that were measured so far */
  struct gmg_candidates candidates; /* the default is the first */
};

/* Returns a trial of a call that is prepared, and saves what the call writes; with `compares` also
 * computes what the default form makes of it. Memory: takes as much of the device's as the fields
 * that are written have, with `compares` twice that of the host's. NULL: there is too little, the
 * call writes what setup made, or the device failed. */
struct gmg_trial *gmg_trial_create(struct gmg_device *device, struct gmg_call *call, int compares);
/* The fields are as before the trial. */
void gmg_trial_destroy(struct gmg_trial **trial);
/* Returns whether a candidate gives the default's bits: of fields of more than some MiB those at
 * both ends and in the middle are compared, or with `whole` all. The trial was made to compare. */
int gmg_trial_verify(struct gmg_trial *trial, const struct gmg_candidate *candidate, int whole);
/* Returns the seconds of a run: the least of some measurements of several runs each. */
double gmg_trial_time(struct gmg_trial *trial, const struct gmg_candidate *candidate);
/* Likewise, but of two runs alone: for a first look. */
double gmg_trial_glance(struct gmg_trial *trial, const struct gmg_candidate *candidate);

/* What times one candidate against another (tuning/timer.h): the device's seconds of some runs. */
struct gmg_trial_turn {
  struct gmg_trial *trial;
  const struct gmg_candidate *candidate;
  int runs;
};
/* Returns how many runs a turn should have where one takes so many seconds. */
int gmg_trial_runs(double seconds);
/* The call of a struct gmg_trial_turn; the clock of a struct gmg_trial. */
int gmg_trial_take_turn(void *turn);
double gmg_trial_clock(void *trial);

#endif
