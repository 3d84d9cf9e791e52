/* Problems that transforms solve, for the tests of method fft: constant coefficients, sides of all
 * kinds, boundary values and right sides from the global index of a cell or face. */
#ifndef TESTS_TRANSFORMS_H
#define TESTS_TRANSFORMS_H

#include <gmg.h>

#include <stddef.h>

struct transforms_case {
  int cells[3];
  const char *sides; /* x_lo x_hi y_lo …, a letter each: dirichlet, neumann, periodic */
  double a, b;
  const char *operator_;
  int no_values; /* 1: boundary values are 0 */
};

/* A number in (-1, 1) that only depends on these. */
double transforms_number(size_t index, int seed);
/* On the box 1 x 1.3 x 0.8. Memory: give. */
gmg_grid *transforms_grid(gmg_context *context, const struct transforms_case *problem);
/* A solver by this method, set up; options: name, value, …, NULL. Memory: give. */
gmg_solver *transforms_solver(gmg_grid *grid, const struct transforms_case *problem,
                              const char *method, const char *const *options);
/* A dense array of this rank's part: numbers, or zeros (seed < 0). Memory: give, by free. */
gmg_array transforms_array(const gmg_grid *grid, const struct transforms_case *problem, int seed);
/* 0: this build has no transforms, which is said. */
int transforms_available(void);

#endif
