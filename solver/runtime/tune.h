/* How tuning searches, whom it tells, and what it found: for the host (setup/tune.c) and for back
 * ends. */
#ifndef GMG_TUNE_H
#define GMG_TUNE_H

#include <stdatomic.h>

#include "gmg.h"

struct gmg_tune {
  int exhaustive; /* 1: every candidate is timed */
  /* The subject that a back end tunes alone, on the largest level that has it: for tests. NULL: all
   * subjects */
  const char *only;
  int spoil;              /* 1: poor choices for all subjects, and nothing is timed: for tests */
  double end;             /* of the budget, on the clock of gmg_seconds */
  const atomic_int *stop; /* not 0: gmg_solver_stop was called on this rank */
  /* What is tuned, "kernel SYMBOL at 256x256x256", and how far it is; NULL: nobody is told. */
  void (*progress)(void *user, const char *subject, int measured, int of, double seconds_left);
  void (*record)(void *user, const gmg_tuning_candidate *candidate); /* or NULL */
  void *user;
  /* Candidates that were timed, that did not give the default's bits, and subjects for which
   * another candidate than the default is faster. */
  int measured, discarded, better;
  int unfinished; /* subjects of a back end whose search ended for want of time */
};

#endif
