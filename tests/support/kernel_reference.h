/* What a generated kernel must give on a box, from sequential specs in double: its own, or
 * compositions of its operator's. */
#ifndef GMG_TEST_KERNEL_REFERENCE_H
#define GMG_TEST_KERNEL_REFERENCE_H

#include "kernel_boxes.h"

/* A u and what is needed to judge rounding, on the own and on the finer level. */
struct test_applied {
  double *w[2], *size[2]; /* A u; the sum of the absolute terms of A u, or somewhat more */
  double *diagonal;       /* of A, boundary formulas included, found by unit vectors */
  const struct gmg_operator_descriptor *op;
  int uniform; /* alpha is a number */
};

/* Dense arrays of the own level, and sums. An error of `rounding x scale` is rounding. */
struct test_reference {
  double *value, *scale;
  double sum, sum_scale, most, most_scale, term; /* term: a bound of the terms of the sum */
};

/* uniform: the variant in which alpha is a number. NULL: no spec is registered for the operator. */
struct test_applied *test_applied_make(struct test_box *box,
                                       const struct gmg_operator_descriptor *op, int uniform);
void test_applied_destroy(struct test_applied *applied);

/* In which cells a residual counts: as gmg_counts() says, by the boxes' first cells on the own and
 * on the finer level. */
struct test_only {
  int only, lower[2][3];
};
/* Of a derived kernel; Gauss-Seidel: of all cells, as if each were of the colour. The sum of values
 * is taken by the caller's compiler in long double. */
void test_reference_derived(struct test_box *box, const struct test_applied *applied,
                            const struct gmg_kernel_descriptor *kernel,
                            const struct test_only *only, struct test_reference *reference);
/* Of a kernel taken as written; of its outputs, that of the field `written`, or -1. */
void test_reference_written(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                            int written, spec_function *spec, struct test_reference *reference);
void test_reference_clear(struct test_reference *reference);

int test_colour(const struct gmg_operator_descriptor *op, const int lower[3], int i, int j, int k);
/* Gauss-Seidel on the cells of a colour point by point in sequence, each by a call of apply; u
 * (dense) is changed. */
void test_sweep(struct test_box *box, const struct gmg_operator_descriptor *op, int uniform,
                int colour, double *u);

#endif
