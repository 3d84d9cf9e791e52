/* The loops that roofs are measured with: STREAM's over arrays, and chains of multiply-adds; for
 * several instruction sets, of which the best one that runs here is taken. */
#ifndef GMG_STREAMS_H
#define GMG_STREAMS_H

#include <stddef.h>

enum { GMG_STREAM_VALUES = 64 }; /* lengths of arrays are multiples of it */

/* Arrays are aligned to 64 bytes, and `values` is a multiple of GMG_STREAM_VALUES. */
struct gmg_loops {
  const char *name; /* "avx512", "avx2", "sse2", "scalar" */
  void (*copy)(double *a, const double *b, size_t values);
  void (*triad)(double *a, const double *b, const double *c, size_t values);
  double (*read)(const double *a, size_t values);
  /* Stores that go to memory past the caches; NULL: there are none. */
  void (*copy_streaming)(double *a, const double *b, size_t values);
  void (*triad_streaming)(double *a, const double *b, const double *c, size_t values);
  /* Runs multiply-adds in independent chains, and returns how many floating-point operations they
   * were, two each. *result: depends on all of them. */
  double (*fma_double)(size_t rounds, double *result);
  double (*fma_float)(size_t rounds, double *result);
};

/* The best ones that run here. Memory: static. */
const struct gmg_loops *gmg_loops_best(void);

#endif
