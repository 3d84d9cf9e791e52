/* The problem that a solver was given, and what its coefficients were found to be. */
#ifndef GMG_PROBLEM_H
#define GMG_PROBLEM_H

#include "grid.h"
#include "kernel.h"
#include "options.h"
#include "runtime/name.h"

enum { GMG_COEFFICIENTS = 5, GMG_OWN_FIELDS = 8 };
/* What of the coefficients is taken in: that of a α, that of b β, an operator's own fields. */
enum { GMG_TAKE_ALPHA = 1, GMG_TAKE_BETA = 2, GMG_TAKE_OWN = 4, GMG_TAKE_ALL = 7 };

/* A coefficient that the caller set: its own array, or a dense copy of this rank's part. */
struct gmg_given {
  int present; /* set since the last setup, or borrowed */
  int fresh;   /* set or borrowed since the last setup */
  int borrowed;
  gmg_array values;
  int there;            /* 1: values are in the memory of a device */
  double *copy;         /* on the host; NULL: borrowed, there, or taken in already */
  double *d_copy;       /* there; NULL: there is none */
  gmg_context *context; /* whose device has d_copy */
  /* of a field of an operator's own: */
  char name[GMG_NAME_ROOM];
  gmg_centring centring;
  gmg_coarsening coarsening;
};

/* What is known of the two kinds of coarse levels, plain ones and those with owners, where the
 * choice is left to the solver. */
struct gmg_kinds {
  double factor; /* of a trial of plain cycles (api/trial.h); 0: there was none */
  /* 1: a repeated setup went over to the other kind; whether levels are to have owners since then;
   * how often such setups went over to plain levels */
  int turned, owners, times_plain;
  int again; /* how often a kind was chosen by a trial once more, as solves were slow */
  /* of all solves since the last setup: decades of the residual, iterations */
  double decades, iterations;
  /* decades in an iteration, by kind, in the last such solves; 0: not known */
  double rate[2];
};

struct gmg_problem {
  gmg_grid *grid;
  struct gmg_options options;
  double a, b;
  void *stream;       /* of the caller's device; NULL: none */
  int equation_waits; /* next_a and next_b are for the next setup */
  double next_a, next_b;
  gmg_average average;
  struct gmg_given
    given[GMG_COEFFICIENTS + GMG_OWN_FIELDS]; /* by gmg_coefficient, then own fields */
  int has[GMG_COEFFICIENTS + GMG_OWN_FIELDS]; /* given, on all ranks */
  int givens;                                 /* GMG_COEFFICIENTS + own fields */

  int keeps_given; /* 1: values that are taken in are looked at once more */

  const struct gmg_operator_descriptor *op;
  enum gmg_rows rows; /* how all levels store them */
  int uniform_alpha;
  double alpha;
  int singular;
  double volume;       /* of the whole grid */
  double mean_beta[3]; /* along x, y, z, over the faces between cells; 1 where β is constant */
  /* the largest ratio of β on opposite faces of a cell, or on two of its low ones where β is given
   * on cells; 1 where β is constant */
  double jump;
  /* neighbouring values of the given β along x, y, z that differ by more than GMG_STEP_RATIO,
   * without those of which two ranks have one each */
  double steps[3];
  /* of β along x, y, z, one to another, by which cells of plain levels are paired: the option's, or
   * as setup saw it */
  double strength[3];
  /* of the corrections of plain levels where β jumps in many places: how much of them is taken */
  double correction;
  struct gmg_kinds kinds;
};

/* Whether transforms solve it (solver/fourier), and not cycles. */
static inline int gmg_by_transforms(const struct gmg_problem *problem)
{
  return problem->options.method == GMG_METHOD_FFT;
}

#endif
