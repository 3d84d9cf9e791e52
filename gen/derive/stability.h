/* Whether the steps of a linear program make errors grow, by Fourier analysis (von Neumann): where
 * weights are the same in all cells and no wall is near. */
#ifndef GEN_STABILITY_H
#define GEN_STABILITY_H

#include "ir/program.h"

/* Stable values of a parameter, the others being as they are: from low to high, which are infinite
 * where no end was found. */
struct gen_stable_range {
  int scalar; /* of the program */
  double low, high;
};

struct gen_stability {
  const char *reason; /* NULL; or why the analysis does not hold */
  double growth;      /* the most by which a step makes an error grow, of all frequencies */
  bool stable;        /* not above 1, but for rounding */
  int ranges;         /* of parameters that steps read; none where steps are not stable */
  struct gen_stable_range range[GEN_MAX_PROGRAM_SCALARS];
};

struct gen_stability gen_find_stability(const struct gen_program *program);

#endif
