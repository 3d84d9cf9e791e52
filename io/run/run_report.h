/* What a run tells: its report (JSON, docs/programs.md), and lines for people. */
#ifndef GMG_IO_RUN_REPORT_H
#define GMG_IO_RUN_REPORT_H

#include "arrays_file.h"

/* How a run ended. */
struct run_outcome {
  const char *status;  /* "done", "interrupted" or "not_finite" */
  const char *method;  /* "steps" or "fft" */
  double growth;       /* of an error in a step, at most; NAN: not known */
  int first;           /* the step that it began with */
  double range[32][2]; /* by array of the program: the least and the largest value at the end */
  const char *tuned;   /* what wisdom has chosen; "": nothing */
  double weight;       /* of this rank's part of the grid; below 0: parts are alike */
  /* Of the first call that took steps, in which arrays go to a GPU: the steps, and this rank's
   * seconds. */
  int begun;
  double begin_seconds;
};

/* Calls: collective; rank 0 writes. Errors: STATUS_MACHINE. */
int run_report_write(const struct output *output, gmg_program *program,
                     const struct gmg_program_descriptor *made, const struct arrays_header *header,
                     const struct history *history, const struct run_outcome *outcome,
                     struct failure *failure);
/* Cells times steps per second, by the slowest rank; NAN before the first. Calls: collective. */
double run_rate(const gmg_program *program, const int cells[3]);

#endif
