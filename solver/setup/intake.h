/* What was given: coefficients and an operator's own fields, checked and copied as they come in. */
#ifndef GMG_INTAKE_H
#define GMG_INTAKE_H

#include "problem/solver.h"

/* Which of those to be taken in were copied by an earlier setup and have not been given again. */
int gmg_coefficients_lost(const struct gmg_problem *problem, int take);
/* Which the next setup reads: those set since the last one, and those borrowed. */
int gmg_coefficients_given(const struct gmg_problem *problem);
/* Whether one was set or borrowed since the last setup. */
int gmg_coefficients_replaced(const struct gmg_problem *problem);
/* What it is taken in with, of GMG_TAKE_…. */
int gmg_taken_with(int which);
/* The values on the host; NULL: they are in the memory of a device alone. */
const double *gmg_given_data(const struct gmg_given *given);
/* Frees the copy of a coefficient that was taken in. */
void gmg_given_release(struct gmg_given *given);
/* What a look at all values of this rank's part finds. */
struct gmg_scan {
  size_t bad;        /* the first that is not allowed, counted with x fastest; their number: none */
  double most, less; /* of alpha: the largest factor x value, and the largest of its negatives */
};
/* Refuses the first value, in global order, for which factor x value is not finite, α negative, or
 * β or a field whose harmonic mean is taken not above 0. Calls: collective. */
gmg_status gmg_given_check(struct gmg_problem *problem, int which, double factor,
                           struct gmg_scan *scan);
/* Forgets what was given, but for what is borrowed. */
void gmg_given_forget(struct gmg_problem *problem);
/* Values of this rank's part along each axis, and in all; 0 where it has no cells. */
size_t gmg_given_extent(const struct gmg_problem *problem, int which, int extent[3]);
/* Where the values of a coefficient or an operator's own field lie; its name. */
enum gmg_place gmg_given_place(const struct gmg_problem *problem, int which);
const char *gmg_given_name(const struct gmg_problem *problem, int which);

#endif
