/* Problems with a known solution, for the tests of order, cycle and invariance: a product of one
 * smooth function per axis, periodic where the sides are; β a smooth function too. */
#ifndef TESTS_MANUFACTURED_H
#define TESTS_MANUFACTURED_H

#include <gmg.h>
#include <stdint.h>

enum { MANUFACTURED_OPTIONS = 24 };

struct manufactured {
  int cells[3];
  double upper[3]; /* the box starts at 0; 0: length 1 */
  gmg_boundary kind[6];
  double a, b;  /* b = 0 counts as 1 */
  int variable; /* 0: β = 1; 1: on faces; 2: on cells */
  int variable_alpha;
  double stretch; /* width of a cell over that of the one before, in z; 0: uniform */
  /* the same by one smooth map for any number of cells; this for 32 of them, in the last map_axes
   */
  double map;
  int map_axes;
  /* with random_f or constant_f: β on cells, this inside a ball and 1 outside; 0: not */
  double ball;
  /* instead of the smooth right side: values from the cell's index, boundary values 0 */
  int random_f;
  int constant_f; /* instead: 1 everywhere, boundary values 0 */
  /* restrictions take the residual of all cells, also where the sweeps have left none in some */
  int whole;
  int strip_rows; /* of passes of 12 kernels at most, on all levels; 0: as chosen */
  const char *option[MANUFACTURED_OPTIONS]; /* name, value, … */
};

struct manufactured_result {
  gmg_status status;
  gmg_result result;
  double history[400];
  /* max norm, against the exact solution; of singular problems, with its mean taken off */
  double error;
  int shortcuts; /* levels on which restrictions leave cells out */
  int passes;    /* whether kernels of the finest level run in passes */
  /* calls on the finest level of Gauss-Seidel kernels by differences, and by sums */
  int64_t half_sweeps[2];
  /* likewise on the next coarser level: from zero, first and second colour, and others */
  int64_t from_zero[3];
  char fallback[200];     /* what became of --precision mixed; "": that */
  int lower[3], upper[3]; /* this rank's part */
  double *u;              /* its solution, i fastest; the caller frees it */
};

/* Sets up and solves. Calls: collective. */
struct manufactured_result manufactured_solve(gmg_context *context,
                                              const struct manufactured *problem);
/* Sets an option of a problem. */
void manufactured_option(struct manufactured *problem, const char *name, const char *value);
/* Sets one kind of boundary on all sides. */
void manufactured_sides(struct manufactured *problem, gmg_boundary kind);

#endif
