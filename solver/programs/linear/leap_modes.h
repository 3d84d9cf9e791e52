/* Many steps of the waves of a grid: each one's amplitudes in the arrays, by its own matrix. */
#ifndef GMG_LINEAR_LEAP_MODES_H
#define GMG_LINEAR_LEAP_MODES_H

#include "leap_walls.h"
#include "mesh/layout.h"
#include "system/team.h"

/* What a shift along an axis multiplies its waves by: factor[(reach + offset) cells + place].
 * Beside walls that is a cosine, the mean of shifts to both sides, as it is on a periodic axis
 * where weights are the same on both sides. On one that is `paired` (gmg_basis_pair) it is e^(i
 * offset θ). */
struct gmg_leap_axis {
  int cells, reach, paired;
  double complex *factor;
};

struct gmg_leap_modes {
  const struct gmg_step_weights *weights;
  const struct gmg_storage *storage; /* of the coefficients */
  int threads;
  struct gmg_leap_axis axis[3];
  double complex *sum;               /* for each thread */
  double complex *entry;             /* for each thread */
  double *value[GMG_GROWTH_STATES];  /* the coefficients of each state */
  double *source[GMG_GROWTH_STATES]; /* of what a step adds to it; NULL: nothing */
  double scale;                      /* that all results are multiplied by */
  int64_t steps;
};

/* Takes the tables. Memory: gmg_leap_modes_clear gives them back, after errors too. Returns -1 out
 * of memory. */
int gmg_leap_modes_create(const struct gmg_step_weights *weights,
                          const struct gmg_leap_bases *bases, const int cells[3], int threads,
                          struct gmg_leap_modes *modes);
void gmg_leap_modes_clear(struct gmg_leap_modes *modes);
/* Puts modes->value after so many steps in its place. */
void gmg_leap_modes_run(struct gmg_leap_modes *modes, struct gmg_team *team);

#endif
