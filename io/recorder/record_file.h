/* What a record writes into its HDF5 file. Unless said otherwise a function returns 0, or 1 where
 * HDF5 or memory failed. */
#ifndef GMG_IO_RECORD_FILE_H
#define GMG_IO_RECORD_FILE_H

#include <hdf5.h>

#include "gmg.h"

/* count: 0 for a scalar. */
int record_put_attribute(hid_t object, const char *name, hid_t type, const void *value,
                         hsize_t count);
int record_put_text(hid_t object, const char *name, const char *text);
int record_put_double(hid_t object, const char *name, double value);

/* A dataset of doubles, made if it is not there. Negative: HDF5 failed. */
hid_t record_open_dataset(hid_t file, const char *name, int rank, const hsize_t *shape);
/* A small dataset that all ranks know, and that the rank which `writes` writes. */
int record_put_values(hid_t file, int writes, const char *name, const double *values, int rank,
                      const hsize_t *shape);
/* This rank's values, some rows at a time through a small buffer. start: of the first in the file;
 * count: along x, y, z, all positive. */
int record_write_rows(hid_t dataset, const gmg_array *array, const int start[3],
                      const int count[3]);

/* HDF5 prints nothing from record_be_silent to record_speak_again. */
struct record_silence {
  H5E_auto2_t function;
  void *data;
};
struct record_silence record_be_silent(void);
void record_speak_again(struct record_silence before);

#endif
