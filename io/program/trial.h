/* A problem to try solvers on, of a file or made in memory. */
#ifndef GMG_IO_TRIAL_H
#define GMG_IO_TRIAL_H

#include "common/arguments.h"
#include "common/failure.h"
#include "common/progress.h"
#include "file/problem.h"
#include "file/values.h"
#include "gmg.h"
#include "make/make_request.h"

struct trial {
  const struct arguments *arguments;
  struct progress *progress;
  struct failure *failure;
  struct problem read;     /* from a file */
  struct problem *problem; /* that, or the case's */
  const char *name;        /* of the file or of the case */
  struct case_values cases;
  struct values values;
  gmg_context *context;
  gmg_grid *grid;
  double *f; /* this rank's right side */
};

/* Opens the file that the arguments name, or starts the case, makes the context and the grid, and
 * reads or makes the right side. make: NULL: from a file. Memory: gives what the trial has, also
 * after a failure, and keeps what it is given; trial_close frees it. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective, as all below. */
int trial_open(struct trial *trial, const struct arguments *arguments, struct make_request *make,
               struct progress *progress, struct failure *failure);
void trial_close(struct trial *trial);
/* Room for a solution on this rank. NULL: a failure, on all ranks. Memory: gives it. */
double *trial_room(struct trial *trial);
/* A solver in a context and on its grid of the problem that is ready to solve; option: a name and a
 * value besides, or NULL. Memory: gives the solver, also after a failure. */
int trial_set_up(struct trial *trial, gmg_context *context, gmg_grid *grid,
                 const char *const option[2], gmg_solver **solver);
/* Solves from zero. After an interrupt (common/interrupt.h) the failure is STATUS_INTERRUPTED. */
int trial_solve(struct trial *trial, gmg_context *context, gmg_solver *solver, double *u,
                gmg_result *result);

#endif
