/* The problems that `gmg make` makes. Each is a sum of products of one function per axis (the exact solution), a
 * coefficient β, and the right side that follows; or a right side of 1 where no solution is known. Coordinates inside a
 * case are relative to the box: 0 … 1 in every direction. */
#ifndef GMG_IO_CASES_H
#define GMG_IO_CASES_H

#include "failure.h"
#include "gmg.h"
#include "problem.h"

enum case_coefficient { BETA_ONE, BETA_SMOOTH, BETA_SPHERE };

struct case_profile;
struct case_kind {
  const char *name, *help;
  gmg_boundary boundary; /* on all sides, with value 0 */
  double a;              /* default of a; α is 1 */
  enum case_coefficient coefficient;
  int terms;
  const struct case_profile *term[2]; /* none: f = 1, no exact solution */
};
extern const struct case_kind case_kinds[];
extern const int case_count;

/* A case on a grid: tables of its profiles at the cell centres. */
struct case_values {
  const struct case_kind *kind;
  struct problem *problem; /* keep: grid, a, b, has */
  double ratio, radius;    /* of the sphere: β inside, in units of β outside; in the user's length unit */
  double *table[2][3][3];  /* [term][axis][derivative 0, 1, 2], by the user's length unit */
};
/* Fills problem->has and problem->side too. Memory: gives the tables. Errors: STATUS_MACHINE. */
int case_start(const struct case_kind *kind, struct problem *problem, struct case_values *values,
               struct failure *failure);
void case_clear(struct case_values *values);
/* The values of a field on [from, to), i fastest. */
void case_fill(const struct case_values *values, enum problem_field field, const int from[3], const int to[3],
               double *block);

#endif
