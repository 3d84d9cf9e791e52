/* The error against /exact. */
#ifndef GMG_IO_ERRORS_H
#define GMG_IO_ERRORS_H

#include "common/failure.h"
#include "gmg.h"
#include "file/values.h"

struct error_norms {
  int present;
  double max;      /* max |u - exact| */
  double l2;       /* sqrt(∫ (u - exact)² / ∫ 1) */
  double relative; /* sqrt(∫ (u - exact)² / ∫ exact²); 0 if both are 0 */
};

/* Reads /exact block by block beside u, this rank's cells, contiguous. A singular problem leaves
 * the mean open: that of exact is taken off first. Calls: collective. */
int errors_measure(struct values *values, const double *u, int singular, struct error_norms *norms,
                   struct failure *failure);

#endif
