/* The solution file: dataset /solution with its attributes, the history of residuals, and the grid.
 */
#ifndef GMG_IO_SOLUTION_H
#define GMG_IO_SOLUTION_H

#include "common/failure.h"
#include "gmg.h"
#include "output.h"
#include "problem.h"
#include "common/progress.h"

/* u: this rank's cells [lower, upper), a slab in k, contiguous, i fastest. Appears whole or not at
 * all. Errors: STATUS_MACHINE. Calls: collective. */
int solution_write(const struct output *output, const struct problem *problem,
                   const gmg_result *result, const double *u, const int lower[3],
                   const int upper[3], struct progress *progress, struct failure *failure);

#endif
