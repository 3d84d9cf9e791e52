/* Finds the fastest method for one problem: choices that change the numbers. */
#ifndef GMG_IO_TUNE_METHOD_H
#define GMG_IO_TUNE_METHOD_H

#include "file/output.h"
#include "tune_problem.h"

/* Varies cycle, sweeps, smoother, precision, Krylov method, interpolation and the coarsest level,
 * one after the other and again from the best, while that gains and the task's seconds last;
 * options that the command line gives stay. The measure is the time of a solve per digit of its
 * residual. What was found is compared with the default in turns; where it is faster beyond doubt,
 * it is added to `arguments`. Writes it to the file, as options for gmg --options: only comments
 * where nothing was faster. output: NULL: no file. Errors: STATUS_INPUT, STATUS_MACHINE,
 * STATUS_INTERRUPTED (then nothing is written). Calls: collective. */
int tune_method(const struct tune_task *task, const struct output *output,
                struct arguments *arguments, struct progress *progress, struct failure *failure);

#endif
