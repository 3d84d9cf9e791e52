/* What a solver tells of its setups and solves, and whom. */
#ifndef GMG_PROBLEM_REPORT_H
#define GMG_PROBLEM_REPORT_H

#include "gmg.h"

#include <stdatomic.h>

enum { GMG_FALLBACKS = 5 };

struct gmg_report {
  gmg_recorder recorder; /* its functions are NULL: nothing records */
  gmg_monitor *monitor;
  void *monitor_user;
  atomic_int stop; /* gmg_solver_stop was called on this rank */
  double *residual_history, *seconds_history;
  int history;     /* cycles that both have room for */
  int undiagnosed; /* 1: nobody asks why cycles are slow */
  double setup_seconds;
  char reason[1000], option_text[80];
  char fallback[GMG_FALLBACKS][520];
  int fallbacks;
  char ignored[160]; /* the sentence about an option that was withdrawn; "": none was set */
};

/* Adds a sentence to the fallbacks, if there is room for one. */
void gmg_report_fallback(struct gmg_report *report, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

#endif
