/* The report: what a solve did, as JSON (contract "report" of the design). */
#ifndef GMG_IO_REPORT_H
#define GMG_IO_REPORT_H

#include "errors.h"
#include "common/failure.h"
#include "gmg.h"
#include "file/output.h"
#include "file/problem.h"

struct report {
  const struct problem *problem;
  const gmg_context *context;
  const gmg_solver *solver;
  const gmg_result *result;
  const struct error_norms *norms;
  const int *arrays_there; /* 1: right side and solution were on the GPU in the solve */
};

/* Unknowns of the problem solved per second of solving; NaN where no cycle ran. */
double report_rate(const struct report *report);
/* Of a singular problem, the norm of what was taken off the right side over that of the whole,
 * roughly; else 0. */
double report_projected(const struct report *report);
/* Errors: STATUS_MACHINE. Calls: collective. */
int report_write(const struct output *output, const struct report *report, struct failure *failure);

#endif
