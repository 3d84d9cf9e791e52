/* The values on cells and faces of a problem file: read by all ranks together, each its own part,
 * and checked as they are read. */
#ifndef GMG_IO_VALUES_H
#define GMG_IO_VALUES_H

#include <hdf5.h>

#include "common/failure.h"
#include "problem.h"
#include "common/progress.h"

struct values {
  const char *path;
  const struct problem *problem; /* keep */
  hid_t file;
  int lower[3], upper[3]; /* this rank's cells: a slab in k */
  struct progress *progress;
};

/* Calls: collective, as all below. */
int values_open(const char *path, const struct problem *problem, const int lower[3],
                const int upper[3], struct progress *progress, struct values *values,
                struct failure *failure);
void values_close(struct values *values);

/* This rank's elements of a field, and the strides of an array that holds them. */
size_t values_elements(const struct values *values, enum problem_field field);
/* Room for them, on huge pages where the system has them: other ranks of the machine may read it
 * (solver/carry.h), by pages. NULL when there is none. Memory: free takes it back. */
double *values_allocate(const struct values *values, enum problem_field field);
gmg_array values_array(const struct values *values, enum problem_field field, double *data);

typedef void values_visit(void *user, const int from[3], const int to[3], const double *block);

/* Reads this rank's elements of a field into data, or, if data is NULL, block by block into memory
 * of bounded size, and checks that they are finite, β > 0, a α >= 0, and that the end planes of a
 * periodic face β agree. visit (may be NULL) sees every block, i fastest. Errors: STATUS_INPUT
 * names the first offending value and its index; STATUS_MACHINE. */
int values_read(struct values *values, enum problem_field field, double *data, values_visit *visit,
                void *user, struct failure *failure);

#endif
