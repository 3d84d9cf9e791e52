/* Sums and maxima over all cells of a level that do not depend on ranks, boxes or threads. */
#ifndef GMG_REDUCE_H
#define GMG_REDUCE_H

#include "launch.h"

/* A sum, and what is known of the size of its terms from the last time. */
struct gmg_reducer {
  struct gmg_call *sum;
  int exponent; /* |term| < 2^exponent is expected */
  int known;
  struct gmg_call *begun; /* by gmg_reduce_begin, or NULL */
};

/* Forgets the last time: a solve's sums are then the same, to the last bit, whatever was solved
 * before. */
void gmg_reducer_forget(struct gmg_reducer *reducer);
/* Runs a call, the reducer's own or another one that finds the same sum beside what else it does;
 * gmg_reduce gives the result later. Calls that run in between share a pass over memory with it,
 * change nothing that it reads, and reduce nothing. */
void gmg_reduce_begin(struct gmg_reducer *reducer, struct gmg_call *call);
/* Says how large the maximum that the next sum finds will be, from the problem alone: a guess,
 * which saves a pass. */
void gmg_reducer_expect(struct gmg_reducer *reducer, double most);
/* The maximum alone, in one pass. Calls: collective. */
double gmg_reduce_most(struct gmg_reducer *reducer);
/* Σ terms over all ranks; *most (if not NULL): the maximum that the call found, of a residual norm
 * max |x| where the terms are x², else max |term|. NaN or infinite where a term is. One pass over
 * the fields where the last time's terms were about as large, else two. Calls: collective. */
double gmg_reduce(struct gmg_reducer *reducer, double *most);

#endif
