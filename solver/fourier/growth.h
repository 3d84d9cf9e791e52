/* The growth of a wave in a step: the spectral radius of a small complex matrix. */
#ifndef GMG_GROWTH_H
#define GMG_GROWTH_H

#include <complex.h>

enum { GMG_GROWTH_STATES = 8 };

struct gmg_growth_matrix {
  int n; /* at most GMG_GROWTH_STATES */
  double complex a[GMG_GROWTH_STATES][GMG_GROWTH_STATES];
};

/* Returns the largest size of an eigenvalue: of up to two by the quadratic formula, of more by
 * repeated squaring; or `least`, or less, where it is no larger than that. */
double gmg_growth_radius(const struct gmg_growth_matrix *matrix, double least);
/* Returns how far above 1 gmg_growth_radius may be by rounding alone. */
double gmg_growth_rounding(int n);

#endif
