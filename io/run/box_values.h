/* Values of a program's boxes, moved to and from datasets in blocks of bounded size. */
#ifndef GMG_IO_BOX_VALUES_H
#define GMG_IO_BOX_VALUES_H

#include <hdf5.h>

#include "common/failure.h"
#include "gmg_program.h"

/* One array of a program, and a dataset that holds its cells, or them with their ghosts. */
struct box_values {
  gmg_program *program;
  int array, with_ghosts;
  const int *cells;
  hid_t dataset;
  const char *file, *name; /* for messages */
};

/* The shape of such a dataset, z, y, x. */
void box_values_shape(const struct box_values *values, hsize_t shape[3]);
/* Reads this rank's boxes, and refuses values that are not finite. Calls: this rank alone. */
int box_values_read(const struct box_values *values, struct failure *failure);
/* Writes all boxes. Returns not 0 after a failure, which file_reason tells. Calls: collective. */
int box_values_write(const struct box_values *values);
/* The least and the largest value in cells on all ranks, and whether all are finite. Calls:
 * collective. */
int box_values_range(const struct box_values *values, double range[2]);

#endif
