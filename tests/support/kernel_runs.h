/* Runs every generated kernel on given boxes in several instruction sets, and compares with the
 * sequential specs. */
#ifndef GMG_TEST_KERNEL_RUNS_H
#define GMG_TEST_KERNEL_RUNS_H

#include "kernel_reference.h"

enum { TEST_BOXES = 2, TEST_LIBRARIES = 8, TEST_ROLES = GMG_TERMS_NORM + 1, TEST_MESSAGES = 20 };

/* Errors are counted in units of  machine precision of the kernel x sum of the absolute terms; this
 * many are rounding. */
#define TEST_ROUNDING 8.0

/* What came out, over many boxes. */
struct test_tally {
  long runs, failures, skipped;
  double worst[TEST_ROLES][2]; /* by role and precision, in the unit above */
};

struct test_runs {
  /* to run, all with the same kernels; the first is compared with the specs, the others with it */
  int libraries;
  const struct gmg_kernel_library *library[TEST_LIBRARIES];
  int cells[TEST_BOXES][3];
  uint64_t seed;
  int threads;
  void (*calling)(const struct gmg_kernel_descriptor *kernel); /* NULL, or told before each call */
  int literal; /* Gauss-Seidel point by point in sequence */
  int closely; /* look for changed inputs after every kernel: set by test_kernels_run itself */
};

/* All kernels in both precisions. Failures are described on stderr, at most TEST_MESSAGES of a
 * tally. */
void test_kernels_run(struct test_runs *runs, struct test_tally *tally);
void test_tally_add(struct test_tally *total, const struct test_tally *part);

/* Libraries that this CPU can run, the best first; those that it cannot are named on stdout. */
int test_libraries(const struct gmg_kernel_library *library[TEST_LIBRARIES]);
/* Differences in names, variants, roles and fields between libraries, and kernels that no spec
 * covers; named on stderr. */
int test_libraries_faults(const struct gmg_kernel_library *const *library, int libraries);

#endif
