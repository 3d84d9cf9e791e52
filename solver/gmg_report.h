/* What a solver tells of itself for reports: levels, kernels, memory, options in force; and the
 * roofs of the machine, which its speed is compared with. A part of gmg.h, which includes it: its
 * rules hold here. */
#ifndef GMG_REPORT_H
#define GMG_REPORT_H

#include "gmg.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Levels count from 0, the finest. */
typedef struct {
  int cells[3];
  int boxes, ranks;
  const char *unfused_reason; /* why its kernels run one by one; NULL: several in one sweep */
  /* this rank's bytes to and from memory in the last solve's cycles: every field that a sweep
   * touches, once for a read and once more for a write */
  double moved;
  const char *backend; /* "cuda" or "openmp" */
  int tail;            /* 1: on a GPU, many of its kernels in one launch */
  /* how the CPU computes it where wisdom or gmg_solver_tune chose: "rows=24 planes=8"; NULL: by the
   * rules. The level's, until the next such call */
  const char *choice;
  /* Where coarse levels have owners (option coarsening): how many of the level's cells belong to
   * another coarse cell than the one that covers them, and how many pieces of cells had to be given
   * to one that does not hold them well. 0, 0 on the coarsest level */
  int64_t given_away, forced;
} gmg_level_info;
typedef struct {
  const char *name, *variant;
  const char *backend; /* that ran it: "cuda" or "openmp" */
  int bits;            /* of its numbers: 64 or 32 */
  double seconds; /* this rank's, since the setup, as all below; of a sweep that several kernels
                   * share its part by the clock of one thread */
  int64_t calls;
  double bytes; /* compulsory: each value that it needs once for a read, once more for a write */
  /* counted: of a kernel by itself, every field once for a read and once more for a write; of one
   * that ran in a sweep with others what it was the first in the sweep to touch */
  double moved;
  double flops;   /* operations on real numbers, a multiply-add is two */
  int64_t fused;  /* calls that ran in one sweep over memory with other kernels */
  double touched; /* bytes of all fields that one such sweep touches, the most: what a cache would
                   * have to hold */
  /* its form and shape on a GPU where wisdom chose: "form=march block_i=64 block_j=4 rows=1 ...";
   * NULL: the default. The solver's */
  const char *choice;
} gmg_kernel_info;
int gmg_solver_levels(const gmg_solver *solver);
gmg_status gmg_solver_level_info(const gmg_solver *solver, int level, gmg_level_info *info);
int gmg_solver_kernels(const gmg_solver *solver, int level);
gmg_status gmg_solver_kernel_info(const gmg_solver *solver, int level, int index,
                                  gmg_kernel_info *info);
/* Bytes that the library holds for this solver on this rank. */
int64_t gmg_solver_bytes(const gmg_solver *solver);
gmg_status gmg_solver_memory(const gmg_solver *solver, gmg_memory_info *memory);
/* What computes. */
typedef struct {
  const char *backend; /* "cuda" or "openmp" */
  const char *device;  /* the GPU; NULL: none */
  /* "the only one", "near the cores of its rank", "in turn": how, of the machine's */
  const char *chosen;
  const char *why;       /* why there is none; "": it was not asked for, or there is one */
  const char *exchanges; /* how ghosts travel on a GPU; "": none does */
  /* where coarse was auto: the finest level that the CPU was tried on too; 0: none was */
  int coarse_from;
  /* of one visit of the levels from there on: on the GPU, on the CPU. The faster one was taken */
  double coarse_seconds[2];
  gmg_memory_info memory; /* of the GPU, on this rank */
  double attach_seconds;  /* of setup: kernels, and copies to the GPU */
  int compiled, cached;   /* kernels that were compiled, and found in the cache */
  /* bytes that this process has copied to GPUs, and back to the host, for all its solvers; without
   * sums of norms that are copied inside a graph */
  int64_t copied[2];
} gmg_backend_info;
gmg_status gmg_solver_backend(const gmg_solver *solver, gmg_backend_info *info);
/* What did not run as asked, or runs slower than it could: a sentence each; NULL past the last. */
const char *gmg_solver_fallback(const gmg_solver *solver, int index);
/* Value of an option in force, as text. Memory: the solver's, until the next call. */
const char *gmg_solver_option(const gmg_solver *solver, const char *name);
/* Value of an option as it was set; NULL: its default. Memory: the solver's, until the next call.
 */
const char *gmg_solver_option_given(const gmg_solver *solver, const char *name);

/* What a machine can do at its best, which the speed of kernels is compared with. Copies count 16
 * bytes a value, triads a = b + s c 24, reads 8, as STREAM does. */
typedef enum {
  GMG_ROOF_COPY,
  GMG_ROOF_TRIAD,
  GMG_ROOF_READ,
  GMG_ROOF_COPY_STREAMING, /* by stores that go past the caches */
  GMG_ROOF_TRIAD_STREAMING,
  GMG_ROOF_COPY_DRIVER, /* a GPU's, from its memory to its memory, not by a kernel */
  GMG_ROOF_FMA_DOUBLE,  /* multiply-adds, each two operations */
  GMG_ROOF_FMA_FLOAT,
  GMG_ROOF_LAUNCH,       /* seconds from one empty kernel in a stream to the next */
  GMG_ROOF_GRAPH_LAUNCH, /* likewise in a graph */
  GMG_ROOF_BARRIER       /* seconds of a barrier of all thread blocks of a kernel */
} gmg_roof_kind;
/* The name of a kind without its prefix, in lower case: "copy_streaming". Memory: static. */
const char *gmg_roof_text(gmg_roof_kind kind);
typedef struct {
  const char *backend; /* "openmp" or "cuda" */
  gmg_roof_kind kind;
  int cache;          /* 1, 2, 3: from the cache of that level; 0: from memory, or from none */
  int threads;        /* of all ranks; on a GPU: GPUs */
  double working_set; /* bytes, of all ranks */
  double rate;        /* bytes or operations per second, of all ranks; or seconds, the most */
} gmg_roof;
enum { GMG_MOST_ROOFS = 240 };
typedef struct {
  const char *instructions; /* that the CPU was measured with; static */
  /* of the cores of all ranks, by level 1, 2, 3, as the system tells; 0: there is none. Of the last
   * one others may have a part, such as other guests of the machine: cache_bytes has what was found
   * to be there for this process */
  double nominal_cache_bytes[3], cache_bytes[3];
  double memory_arrays;  /* bytes of the arrays in memory, of all ranks */
  int bounded;           /* 1: little memory was free, and they should have been larger */
  double device_cache;   /* bytes of the GPUs' cache; 0: no GPU was measured */
  char device_note[300]; /* why a GPU that is open was not measured, or what of it; "": all was */
  int roofs;
  gmg_roof roof[GMG_MOST_ROOFS];
} gmg_roofs;
/* Measures the roofs of the machine for about so many seconds (0: 5), with the context's threads;
 * on one rank with 1, 2, 4, … of them too, on several with all ranks at the same time; and those of
 * the GPU, where it is open (gmg_context_device opens it). Memory: takes four times the last-level
 * cache for its length, at most a quarter of the free memory. Errors: GMG_ERR_ARGUMENT,
 * GMG_ERR_MEMORY, GMG_ERR_MPI. Calls: collective. */
gmg_status gmg_context_measure_roofs(gmg_context *context, double seconds, gmg_roofs *roofs);

/* What gmg_solver_tune tells the `record` of gmg_tuning: a candidate that it timed. The first one
 * of a subject is the one that its search begins with. Memory: the call's. */
typedef struct gmg_tuning_candidate {
  const char *subject; /* a level, or a kernel and its cells */
  int choices;
  const char *const *name; /* of each choice, and its value; on the CPU 0: by the rules */
  const int *value;
  double seconds; /* INFINITY: it cannot run here, or computes other bits */
  int chosen;     /* 1: told a second time, as what the search of the subject ended with */
} gmg_tuning_candidate;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
