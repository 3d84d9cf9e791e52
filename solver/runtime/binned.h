/* Sums whose value does not depend on the order of their terms, found in one pass over the terms or
 * two: what the sums of the solver (reduce.h) and those of programs (programs/value.c) share. */
#ifndef GMG_BINNED_H
#define GMG_BINNED_H

#include "kernel.h"

/* How far terms may grow, and sink, between two sums before the second is found anew, in powers of
 * two. */
enum { GMG_BINNED_SLACK = 4 };

struct gmg_binned {
  int64_t terms;
  int bins;          /* that the kernel adds up */
  int power;         /* 2: the maximum that a pass finds is that of |x|, where the terms are x² */
  int loose;         /* a sum smaller than what is lost of it by 2^loose is found anew */
  int most_exponent; /* of a maximum; with a larger one the sum is infinite */
  int exponent;      /* |term| < 2^exponent is expected */
  int known;         /* 0: nothing is known of the size of the terms */
};

/* For sums in double precision of so many terms, of whose size nothing is known. */
struct gmg_binned gmg_binned_of(int64_t terms);
/* One pass over all terms with these cuts: bins and maximum over all ranks. */
typedef void gmg_binned_pass(void *work, const double cut[GMG_SUM_BINS],
                             struct gmg_reduction *total);
/* Σ terms, in one pass where terms are about as large as expected, else in two; *most: the maximum
 * that the pass found. NaN or infinite where a term is. Leaves in binned what is to be expected of
 * the next sum. */
double gmg_binned_sum(struct gmg_binned *binned, gmg_binned_pass *pass, void *work, double *most);
/* The cuts of the first pass. */
void gmg_binned_cuts(const struct gmg_binned *binned, double cut[GMG_SUM_BINS]);
/* The sum that a pass left in bins. */
double gmg_binned_value(const struct gmg_reduction *total);
/* What is to be expected of terms with that maximum. */
int gmg_binned_exponent(double most, int power);

#endif
