/* The steps of a program as linear algebra: the terms of its kernels with the weights that its
 * parameters give, and what a step makes of one wave, a small matrix. */
#ifndef GMG_LINEAR_STEP_WEIGHTS_H
#define GMG_LINEAR_STEP_WEIGHTS_H

#include "fourier/growth.h"
#include "programs/program.h"

/* What a kernel stores in an array, as far as it comes from another one: the sum of so many terms.
 */
struct gmg_step_entry {
  int kernel, to, from; /* from: an array of the program */
  int first, terms;
};

struct gmg_step_weights {
  const struct gmg_program_descriptor *made;
  int terms;
  struct gmg_program_term *term; /* those of an array's values, by entry */
  double *weight;                /* by term */
  int entries;
  struct gmg_step_entry *entry;
  int reach[3]; /* the largest offset along each axis */
  int sources;  /* some kernel adds a constant, not 0 */
  int states;   /* the arrays that steps go on from */
  int array[GMG_GROWTH_STATES];
};

/* Finds them for the parameters as they are. call: the public one, for messages. Memory: fills
 * weights, which gmg_step_weights_clear empties, after errors too. Errors: GMG_ERR_UNSUPPORTED with
 * the reason, where steps are not linear with the same weights in all cells, GMG_ERR_MEMORY. Calls:
 * not collective. */
gmg_status gmg_step_weights_find(const struct gmg_program *program, const char *call,
                                 struct gmg_step_weights *weights);
void gmg_step_weights_clear(struct gmg_step_weights *weights);
/* What a step makes of the amplitudes of a wave in the states: matrix[to][from]. entry: by what
 * each entry multiplies the wave. */
void gmg_step_weights_matrix(const struct gmg_step_weights *weights, const double complex *entry,
                             struct gmg_growth_matrix *matrix);

#endif
