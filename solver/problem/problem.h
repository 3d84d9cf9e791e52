/* The problem that a solver was given, and what its coefficients were found to be. */
#ifndef GMG_PROBLEM_H
#define GMG_PROBLEM_H

#include "grid.h"
#include "kernel.h"
#include "options.h"

enum { GMG_COEFFICIENTS = 5 };
/* What of the coefficients is taken in: that of a α, that of b β. */
enum { GMG_TAKE_ALPHA = 1, GMG_TAKE_BETA = 2, GMG_TAKE_ALL = 3 };

/* A coefficient that the caller set: its own array, or a dense copy of this rank's part. */
struct gmg_given {
  int present; /* set since the last setup, or borrowed */
  int fresh;   /* set or borrowed since the last setup */
  int borrowed;
  gmg_array values;
  double *copy; /* NULL: borrowed, or taken in already */
};

struct gmg_problem {
  gmg_grid *grid;
  struct gmg_options options;
  double a, b;
  int equation_waits; /* next_a and next_b are for the next setup */
  double next_a, next_b;
  gmg_average average;
  struct gmg_given given[GMG_COEFFICIENTS];
  int has[GMG_COEFFICIENTS]; /* given, on all ranks */

  const struct gmg_operator_descriptor *op;
  enum gmg_rows rows; /* how all levels store them */
  int uniform_alpha;
  double alpha;
  int singular;
  double volume;       /* of the whole grid */
  double mean_beta[3]; /* along x, y, z, over the faces between cells; 1 where β is constant */
  double jump; /* the largest ratio of β on opposite faces of a cell; 1 where β is constant */
};

#endif
