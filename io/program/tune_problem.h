/* Tunes for one problem, and compares what was found with the default. */
#ifndef GMG_IO_TUNE_PROBLEM_H
#define GMG_IO_TUNE_PROBLEM_H

#include "common/progress.h"
#include "make/make_request.h"
#include "trial.h"
#include "tune_record.h"

struct tune_task {
  const struct arguments *arguments; /* whose wisdom is ARGUMENTS_NO_WISDOM */
  struct make_request *make;         /* NULL: the problem is a file */
  const char *title;                 /* NULL: by the problem's name */
  int may_be_left_out;               /* 1: no failure where memory is short */
  int exhaustive, poor;              /* as in struct tune_request */
  double seconds;                    /* of the budget */
  const char *path;                  /* where wisdom goes; NULL: nowhere */
  struct tune_record *record;        /* of all candidates; NULL: none is wanted */
};

/* Tunes, solves with the default and with what was found in turns, prints a line, and saves, unless
 * the tuned solve is slower. After an interrupt what was found so far is saved. Errors:
 * STATUS_INPUT, STATUS_MACHINE (also where the bits differ; nothing is saved), STATUS_INTERRUPTED.
 * Calls: collective. */
int tune_problem(const struct tune_task *task, struct progress *progress, struct failure *failure);

#endif
