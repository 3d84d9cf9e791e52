/* One pass of full multigrid with V(2,2) beside the discretization error. */
#ifndef TESTS_FMG_CHECK_H
#define TESTS_FMG_CHECK_H

#include "manufactured.h"

/* Prints what one pass leaves over the discretization error, in the max norm, and the cycles to
 * 1e-10 with such a start and without. Returns 1 where that is more than `limit`, or the start
 * costs cycles. */
int fmg_check(gmg_context *context, const struct manufactured *problem, double limit,
              const char *name);
/* The same in that precision for constant and smooth β, Dirichlet (values that are not zero),
 * Neumann and periodic, on cubes of least … most cells, doubling. Returns how many failed. */
int fmg_check_all(gmg_context *context, int least, int most, const char *precision, double limit);

#endif
