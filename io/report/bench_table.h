/* The tables that `gmg bench` prints. */
#ifndef GMG_IO_BENCH_TABLE_H
#define GMG_IO_BENCH_TABLE_H

#include "bench_data.h"
#include "common/progress.h"

/* The roofs of the machine, by number of threads. */
void bench_table_roofs(const struct progress *progress, const gmg_roofs *roofs);
/* Levels and kernels, the solve's time, and its bound. */
void bench_table_solve(const struct progress *progress, const struct bench *bench);

#endif
