/* Values in chunks behind filters, as compression is. HDF5 1.10 takes a chunk for whole whatever
 * its filters yield, and reads on after it: values of a damaged file would be whatever lies there.
 * Here chunks go, as they are stored, into a dataset of their own in memory, whose filters are
 * those and a last one that counts the bytes. */
#ifndef GMG_IO_CHUNKS_H
#define GMG_IO_CHUNKS_H

#include <hdf5.h>

/* Whether a dataset is stored so. */
int chunks_are_filtered(hid_t dataset);
/* Reads `count` elements per dimension from `from` on, in file order, of a dataset that is stored
 * so. Negative: failed, and noted (file.h). */
herr_t chunks_read(hid_t dataset, const hsize_t *from, const hsize_t *count, double *data);

#endif
