/* Which boxes the generated kernels are run on. */
#ifndef GMG_TEST_KERNEL_PLAN_H
#define GMG_TEST_KERNEL_PLAN_H

#include "kernel_runs.h"

/* Extents 1...9, 16, 17, 32, 33 in each direction, in two boxes a call: one in `every` of all
 * combinations. Each of these returns the number of failures, and prints the largest errors. */
int test_plan_extents(int every);
/* Extents 1, 2, 3 in each direction: Gauss-Seidel point by point in sequence. */
int test_plan_literal(void);
/* Some boxes on two threads. */
int test_plan_threads(void);

#endif
