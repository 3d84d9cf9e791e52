/* The roofline model: how long kernels, levels and solves take at least, by the roofs of the
 * machine. */
#ifndef GMG_IO_BENCH_BOUND_H
#define GMG_IO_BENCH_BOUND_H

#include "bench_data.h"

/* The best rate of any pattern from a cache of that level (0: memory), with all threads; *kind (may
 * be NULL): the pattern. 0: it was not measured. */
double bench_roof_bytes(const gmg_roofs *roofs, const char *backend, int cache,
                        gmg_roof_kind *kind);
/* Multiply-adds, operations per second. */
double bench_roof_flops(const gmg_roofs *roofs, const char *backend, int bits);
/* Bytes per second of sweeps over a working set again and again, as fast as can be: the part of it
 * that each cache holds comes at that cache's rate, the rest at memory's. *name takes where most of
 * the time goes. */
double bench_bandwidth(const gmg_roofs *roofs, const char *backend, double working_set,
                       char name[BENCH_BOUND_NAME]);

/* Fills all bounds. A kernel by itself: its compulsory bytes at the rate of its working set; in a
 * sweep with others: at the rate of the second-level cache (on a GPU: of its only one), where the
 * sweep keeps what it works on; or its operations, or on a GPU its launches (of two half-sweeps in
 * one launch half of one), if they take longer. A level: that of its kernels, or the bytes that its
 * sweeps move, if they take longer. The solve: that of its levels.
 */
void bench_bounds(struct bench *bench);
/* The part of the bound that was reached; 0: not known. */
double bench_share(const struct bench_bound *bound, double seconds);

#endif
