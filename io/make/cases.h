/* The problems that `gmg make` makes: faces, a coefficient β (medium.h), and a sum of products of
 * one function per axis (profile.h), the exact solution, from which the right side and the boundary
 * values follow; or f = 1 where no solution is known, or noise. Coordinates inside a case are
 * relative to the box: 0 … 1 in every direction. */
#ifndef GMG_IO_CASES_H
#define GMG_IO_CASES_H

#include "common/failure.h"
#include "gmg.h"
#include "medium.h"
#include "file/problem.h"
#include "profile.h"

struct case_kind {
  const char *name, *help;
  gmg_boundary side[6];
  double a;
  int alpha; /* 1: α varies; 0: it is 1 */
  enum medium_kind medium;
  const struct profile *term[2]; /* NULL: none */
  /* Defaults of the options of the same names; 0: none. */
  int cells[3];
  double aspect[3], stretch[3];
};
extern const struct case_kind case_kinds[];
extern const int case_count;

/* A case on a grid: tables of its profiles at the cell centres and at both ends. */
struct case_values {
  const struct case_kind *kind;
  struct problem *problem; /* keep */
  struct medium *medium;   /* keep */
  double *table[2][3][3];  /* [term][axis][derivative 0, 1, 2], by the user's length unit */
  double end[2][3][2][2];  /* [term][axis][side][derivative 0, 1] */
  int noise;               /* f is random, boundary values are 0 */
  int fixed;               /* a face fixes u, or a α does */
};
/* The grid, the sides' kinds and factors, a and b, and the medium's parameters are set. Fills
 * problem->has and the boundary values too. Memory: gives the tables, and the boundary values to
 * the problem. Errors: STATUS_MACHINE. */
int case_start(const struct case_kind *kind, struct problem *problem, struct medium *medium,
               int noise, struct case_values *values, struct failure *failure);
void case_clear(struct case_values *values);
/* The values of a field on [from, to), i fastest. */
void case_fill(const struct case_values *values, enum problem_field field, const int from[3],
               const int to[3], double *block);

#endif
