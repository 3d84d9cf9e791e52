#include "rounding.h"

#include <math.h>

#define HALF_UNIT (1.0 / 9007199254740992.0) /* 2⁻⁵³ */
/* Errors evenly spread in half a unit, of seven terms that add up in the mean square, over the sum
 * of the terms' sizes. */
#define MEAN 0.22
/* The largest of many such errors. */
#define LARGEST (4 * MEAN)

double gmg_rounding(struct gmg_hierarchy *h, struct gmg_reducer *terms, double right_side,
                    double projected)
{
  double most;
  gmg_reducer_forget(terms);
  const double squares = gmg_reduce(terms, &most);
  const int largest = h->problem->options.norm == GMG_NORM_MAX;
  const double of_u = HALF_UNIT * (largest ? LARGEST * most : MEAN * sqrt(squares)),
               of_f = HALF_UNIT * right_side;
  /* What is left of a mean that was taken off. */
  return of_u + of_f
    + 8 * HALF_UNIT * fabs(projected) * (largest ? 1 : sqrt((double)h->finest->cells));
}
