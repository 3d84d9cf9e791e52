/* A problem file: everything but the values on the cells, which values.h reads. */
#ifndef GMG_IO_PROBLEM_H
#define GMG_IO_PROBLEM_H

#include <hdf5.h>

#include "common/failure.h"
#include "gmg.h"

enum problem_field {
  FIELD_RHS,
  FIELD_ALPHA, /* from here to FIELD_BETA_Z: in the order of gmg_coefficient */
  FIELD_BETA,
  FIELD_BETA_X,
  FIELD_BETA_Y,
  FIELD_BETA_Z,
  FIELD_GUESS,
  FIELD_EXACT,
  FIELD_COUNT
};
/* Name in the file: "/rhs", … */
const char *problem_field_name(enum problem_field field);
/* The axis of a face field; -1 of one on cells. */
int problem_field_axis(enum problem_field field);
/* Elements along each axis: cells, and one more along the axis of a face field. */
void problem_field_shape(const int cells[3], enum problem_field field, long long shape[3]);

struct problem_side {
  gmg_boundary kind;
  double c0, c1; /* Robin: c0 u + c1 ∂u/∂n = value */
  double value;
  int has_values;
  double *values; /* one per face, first tangential axis fastest; NULL unless has_values */
};

struct problem {
  int cells[3];
  double lower[3], upper[3];
  int stretched[3];
  double *faces[3]; /* cells + 1 coordinates; NULL unless stretched */
  double a, b;
  gmg_average average;
  int has[FIELD_COUNT];
  struct problem_side side[6]; /* by gmg_side */
};

/* Reads and validates the names, types, shapes and small values of a file, and hands the same
 * problem to all ranks. Takes no memory that grows with the number of cells but the coordinates and
 * the boundary values. Errors: STATUS_INPUT with a sentence that names file, object, what was found
 * and what was expected. Memory: gives the arrays of the problem; problem_clear frees them. Calls:
 * collective. */
int problem_read(const char *path, struct problem *problem, struct failure *failure);
/* Writes what problems and solutions begin with: format, version, and the group /grid. Negative:
 * failed. */
herr_t problem_put_header(hid_t file, const char *format, const struct problem *problem);
void problem_clear(struct problem *problem);
/* Length of the box along an axis; and how many cells there are. */
double problem_extent(const struct problem *problem, int axis);
double problem_unknowns(const struct problem *problem);

extern const char *const problem_side_names[6];     /* x_lo … z_hi */
extern const char *const problem_boundary_names[4]; /* by gmg_boundary */

#endif
