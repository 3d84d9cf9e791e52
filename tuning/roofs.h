/* The roofs of a CPU: how fast its memory and caches move data, and how fast its cores compute, at
 * their best. Measured, by loops like those of STREAM (McCalpin, 1995), and counted like its: a
 * copy moves 16 bytes a value, a triad 24, a sum (read) 8; what a store reads before it writes is
 * not counted, as it is not in the bytes of kernels. */
#ifndef GMG_ROOFS_H
#define GMG_ROOFS_H

#include "caches.h"

enum gmg_cpu_rate {
  GMG_CPU_COPY,
  GMG_CPU_TRIAD,
  GMG_CPU_READ,
  GMG_CPU_COPY_STREAMING, /* by stores that go past the caches */
  GMG_CPU_TRIAD_STREAMING,
  GMG_CPU_FMA_DOUBLE,
  GMG_CPU_FMA_FLOAT
};

/* One rate: the best of several runs on so many threads at once. */
struct gmg_cpu_roof {
  enum gmg_cpu_rate what;
  int cache; /* 1, 2, 3: data in the cache of that level; 0: in memory; of multiply-adds always 0 */
  int threads;
  double working_set; /* bytes that are read and written again and again; 0: none */
  double rate;        /* bytes, or floating-point operations, per second of all threads */
};

enum { GMG_CPU_ROOFS = 200 };
struct gmg_cpu_roofs {
  const char *loops; /* the instruction set that they were measured with; static */
  struct gmg_caches caches;
  double useful;        /* bytes of the last cache that this process found free; 0: not known */
  double memory_arrays; /* bytes of the arrays in memory, together */
  int bounded;          /* 1: they would have been larger if more memory had been free */
  int roofs;
  struct gmg_cpu_roof roof[GMG_CPU_ROOFS];
};

struct gmg_cpu_wish {
  int threads;    /* the most */
  int few;        /* 1: that number alone; 0: 1, 2, 4, ... threads too */
  int sharers;    /* processes of this machine that measure at the same time, this one included */
  double seconds; /* that all measurements may take, roughly */
  /* Called before each measurement; with `few` as often in every process, also in one that runs out
   * of memory. NULL: nobody is waited for. */
  void (*meet)(void *user);
  void *user;
};

/* Measures. Memory: takes and gives back four times the last-level cache, at most a quarter of the
 * free memory over the sharers. Returns -1 out of memory. */
int gmg_cpu_roofs_measure(const struct gmg_cpu_wish *wish, struct gmg_cpu_roofs *roofs);

#endif
