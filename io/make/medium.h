/* The coefficient β of the problems that `gmg make` makes: a function of the coordinates, or of the
 * cells' indices. */
#ifndef GMG_IO_MEDIUM_H
#define GMG_IO_MEDIUM_H

#include "common/failure.h"
#include "file/problem.h"
#include "random_field.h"

enum medium_kind {
  MEDIUM_ONE,
  MEDIUM_SMOOTH, /* on faces; all below on cells */
  MEDIUM_SPHERE,
  MEDIUM_INCLUSIONS,
  MEDIUM_LAYERS,
  MEDIUM_CHECKERBOARD,
  MEDIUM_RODS,
  MEDIUM_BALLS,
  MEDIUM_NOISE,
  MEDIUM_LOGNORMAL
};

struct medium {
  enum medium_kind kind;
  double ratio;  /* β inside over β outside, which is 1 */
  double radius; /* of the sphere, in the user's length unit */
  int size;      /* of bodies (balls: their largest radius), layers and blocks, in cells */
  double sigma,
    length; /* of log β: standard deviation, and correlation length in the user's unit */
  int seed;
  const struct problem *problem; /* keep: the grid */
  double *centre[3];             /* of the cells, in the user's unit, from the low corner */
  struct random_field field;
};
/* The parameters are set. Memory: gives the tables. Errors: STATUS_MACHINE. */
int medium_start(struct medium *medium, const struct problem *problem, struct failure *failure);
void medium_clear(struct medium *medium);
/* Smooth β and its gradient at a point relative to the box, 0 … 1; 1 for all others. */
double medium_smooth(const struct medium *medium, const double at[3], double gradient[3]);
/* β on the cells (from, j, k) … (to, j, k), the last one left out. */
void medium_row(const struct medium *medium, int from, int to, int j, int k, double *row);

#endif
