/* The verb `gmg bench`: a problem's kernels against the roofs of the machine. */
#ifndef GMG_IO_BENCH_H
#define GMG_IO_BENCH_H

#include "common/failure.h"

/* words: what follows "bench". Returns the exit status. Errors: STATUS_INPUT, STATUS_MACHINE.
 * Calls: collective. */
int bench_run(int count, char **words, struct failure *failure);

#endif
