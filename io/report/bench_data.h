/* What `gmg bench` measured: of one solve, for each level and kernel, over all ranks. */
#ifndef GMG_IO_BENCH_DATA_H
#define GMG_IO_BENCH_DATA_H

#include "common/failure.h"
#include "gmg.h"

enum { BENCH_LEVELS_MOST = 40, BENCH_KERNELS_MOST = 128, BENCH_BOUND_NAME = 12 };

/* What holds a kernel, a level or a solve up, at best. */
struct bench_bound {
  double seconds;              /* that it takes at the roofs; 0: nothing is known */
  char name[BENCH_BOUND_NAME]; /* the roof: "L1", "memory", "fma", "launch"; "": none */
};

/* Sums over the ranks, but for seconds and calls, the most of a rank. */
struct bench_kernel {
  char name[64], variant[32], backend[12];
  int bits;
  double seconds, calls, bytes, moved, flops, fused, touched; /* as in gmg_kernel_info */
  struct bench_bound bound;
};

struct bench_level {
  int cells[3];
  int boxes, ranks, passes; /* passes: 1: several kernels run in one sweep */
  int tail;                 /* 1: on a GPU many of its kernels run in one launch */
  char backend[12];
  char unfused_reason[200]; /* "": there is none */
  char choice[160];         /* as in gmg_level_info; "": by the rules */
  int kernels;
  struct bench_kernel kernel[BENCH_KERNELS_MOST];
  struct bench_kernel all; /* its kernels together */
  struct bench_kernel exchanges;
};

struct bench {
  int levels;
  struct bench_level *level;
  struct bench_kernel all; /* of all levels */
  gmg_result result;       /* of the fastest solve, times as the mean over the ranks */
  int repeats;
  double median_seconds, slowest_seconds;
  int timed_apart; /* 1: kernel times are those of another solve, which launched them one by one */
  const gmg_roofs *roofs;
  int ranks, threads;
};

/* The counters of a solver on this rank. */
struct bench_sample {
  int levels;
  int kernels[BENCH_LEVELS_MOST];
  gmg_kernel_info *info[BENCH_LEVELS_MOST];
};
/* Reads them. Memory: gives the arrays. Returns -1 out of memory. */
int bench_sample_take(const gmg_solver *solver, struct bench_sample *sample);
void bench_sample_clear(struct bench_sample *sample);

/* Fills bench->level on rank 0 with what the solver's levels did between two samples, on all ranks.
 * Memory: gives bench->level, bench_clear frees it. Errors: STATUS_MACHINE. Calls: collective. */
int bench_gather(const gmg_solver *solver, const struct bench_sample *before,
                 const struct bench_sample *after, struct bench *bench, struct failure *failure);
void bench_clear(struct bench *bench);

#endif
