/* A problem that is solved in several ways: with the rules' choices, tuned, and with the poor ones
 * that a tuning began with; their bits and times are compared. */
#ifndef GMG_IO_TUNE_WAYS_H
#define GMG_IO_TUNE_WAYS_H

#include "problem/choices.h"
#include "tune_problem.h"
#include "tuning/timer.h"

enum { BY_RULES, TUNED, POOR, WAYS };

/* A problem that is tuned, and its solvers. */
struct tune_ways {
  const struct tune_task *task;
  struct progress *progress;
  struct failure *failure;
  struct trial trial; /* its context has no wisdom */
  char title[200];
  gmg_context *context; /* of the tuned solver, with what was found */
  gmg_grid *grid;
  gmg_solver *solver[WAYS];
  double *u[WAYS];
  gmg_array on_device[WAYS][2]; /* f and u where the solver computes on a GPU; no data: elsewhere */
  struct gmg_choice *choices[WAYS + 1]; /* of the levels on the CPU; one is for trying */
  int ways;                             /* that are compared */
  int compared;                         /* 1: whole solves were, and what is not slower is saved */
  double began, solve_seconds, setup_seconds;
  int rounds, solves; /* of a comparison, and of one of its turns */
  int differing;      /* levels that are not by the rules; on a GPU, levels that are better */
  gmg_tuning_result found;
};

/* Fails like the call whose status it is, with the context's message. */
int tune_ways_refused(struct tune_ways *run, gmg_status status);
/* A solver that is set up in the context of wisdom, with what there is of it. Returns, as all of
 * these, the failure's status. Calls: collective, all of them. */
int tune_ways_set_up(struct tune_ways *run, int way);
int tune_ways_solve(struct tune_ways *run, int way, gmg_result *result);
/* Solves once each way, and compares the bits. */
int tune_ways_compare_bits(struct tune_ways *run);
/* Times whole solves in turns. Where the tuned one is not faster beyond doubt, levels on the CPU go
 * back to the rules' choices, as far as there is time: those without which the solve is faster; all
 * where it is slower beyond doubt even so. */
int tune_ways_compare_times(struct tune_ways *run, struct gmg_timer_result time[WAYS]);
void tune_ways_close(struct tune_ways *run);

#endif
