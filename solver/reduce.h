/* Sums and maxima over all cells of a level that do not depend on ranks, boxes or threads. */
#ifndef GMG_REDUCE_H
#define GMG_REDUCE_H

#include "openmp/launch.h"

/* A sum and how its bound is known: `bound` is a call that finds max |term|; without one, the sum's own call finds
 * max |x| of terms x². */
struct gmg_reducer {
  struct gmg_call *sum, *bound;
  int exponent; /* of the last cuts: |term| < 2^exponent was expected */
  int known;
};

/* Σ terms over all ranks; *most (if not NULL): the maximum that the call found. NaN or infinite where a term is.
 * Calls: collective. */
double gmg_reduce(struct gmg_reducer *reducer, double *most);

#endif
