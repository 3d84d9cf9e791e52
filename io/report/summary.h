/* What the program tells a person before and after a solve. */
#ifndef GMG_IO_SUMMARY_H
#define GMG_IO_SUMMARY_H

#include "file/problem.h"
#include "common/progress.h"
#include "report.h"

/* Grid, equation, faces. */
void summary_problem(const struct progress *progress, const char *path,
                     const struct problem *problem);
/* Operator, levels, ranks, threads, instruction set, setup time. */
void summary_setup(const struct progress *progress, const struct report *report);
/* Status, cycles, residual, time, errors, what did not go as asked. */
void summary_result(const struct progress *progress, const struct report *report);

#endif
