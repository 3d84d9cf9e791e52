/* Transforms of all lines along one axis that this rank has, by all threads. Groups of GMG_GROUP
 * lines are transformed whole by one thread, and which lines are pairs is the grid's alone: the
 * bits do not depend on ranks and threads. */
#ifndef GMG_LINES_H
#define GMG_LINES_H

#include "basis.h"
#include "pencils.h"
#include "system/team.h"

enum gmg_lines_task {
  GMG_LINES_FORWARD,
  GMG_LINES_BACKWARD,
  GMG_LINES_SOLVE, /* forward, coefficients over their eigenvalue, backward */
  GMG_LINES_TOUCH  /* sets to 0, so that pages lie near the threads that transform them */
};

/* What multiplies a coefficient (i, j, k) is 1 / (mass + Σ over axes d of weight[d] λ_d Π over the
 * other axes of m), where m is 1, or 1 − λ / 12 where `averaged`; 0 where that is 1 / 0. */
struct gmg_symbol {
  double mass, weight[3];
  int averaged;
};

/* What a thread needs. */
struct gmg_lines_scratch {
  struct gmg_line_fft *fft[3]; /* by axis */
  struct gmg_complex *line, *work;
};

struct gmg_lines {
  struct gmg_basis basis[3];
  struct gmg_lines_scratch *scratch; /* by thread */
  int threads;
  int64_t transforms; /* bytes that the transforms hold */
};

/* Memory: fills lines, the transforms counted in the account; gmg_lines_clear empties it. Returns
 * -1 out of memory. */
int gmg_lines_create(const enum gmg_basis_kind kind[3], const int cells[3], int threads,
                     struct gmg_memory *memory, struct gmg_lines *lines);
void gmg_lines_clear(struct gmg_memory *memory, struct gmg_lines *lines);
/* Of the equations integrated over cells of these widths, in the unit of length in which they are
 * solved, and of transforms whose scale is not 1. averaged: the operator is constant27. */
struct gmg_symbol gmg_lines_symbol(const struct gmg_lines *lines, const double width[3],
                                   double alpha, double b, int averaged);
/* values: a component in the pencil's storage. symbol: of GMG_LINES_SOLVE. Allocates nothing. */
void gmg_lines_run(const struct gmg_lines *lines, struct gmg_team *team,
                   const struct gmg_pencil *pencil, enum gmg_lines_task task,
                   const struct gmg_symbol *symbol, double *values);

#endif
