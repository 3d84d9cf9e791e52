/* The terms of a program's kernels, where these are linear with the same weights in all cells. */
#ifndef GEN_STEP_TERMS_H
#define GEN_STEP_TERMS_H

#include "steps.h"

enum { GEN_MOST_STEP_TERMS = 1000 };

/* In every cell, kernel `kernel` adds weight times the value that the array `from` has at an offset
 * to what it stores in the array `to`; both are arrays of the program. from: -1 where the weight
 * itself is added. The weight's atoms are parameters and expressions of them. */
struct gen_step_term {
  int kernel, to, from;
  int offset[3];
  struct gen_polynomial *weight;
};

struct gen_step_terms {
  const char *reason; /* NULL; or why the program has no such terms */
  struct gen_steps steps;
  int terms;
  struct gen_step_term term[GEN_MOST_STEP_TERMS];
};

/* Returns the terms of all kernels of the program, in the kernels' order. */
const struct gen_step_terms *gen_find_step_terms(const struct gen_program *program);

#endif
