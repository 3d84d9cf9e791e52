/* HDF5 files, as far as problems and solutions need them: three-dimensional datasets of doubles
 * read and written in blocks of whole planes, attributes, and HDF5's reason for a failure. Index
 * order of extents here is x, y, z. */
#ifndef GMG_IO_FILE_H
#define GMG_IO_FILE_H

#include <hdf5.h>

#include "output.h"

/* HDF5 prints nothing by itself from here on. */
void file_silence(void);
/* Notes HDF5's reason if `result` is negative, and returns it: wrapped around calls whose failure
 * is reported. */
long long file_note(long long result);
/* Why the last noted call failed, in HDF5's words, on one line. Memory: static. */
const char *file_reason(void);

/* Opened for reading: each rank by itself, so that every layout can be read (MPI-IO refuses virtual
 * datasets and fails on chunks that were never written) and no rank waits for another whose read
 * failed. Negative: failed. */
hid_t file_open(const char *path);
/* A file of so many bytes that all ranks make together, under the output's temporary name.
 * Negative: failed. Calls: collective. */
hid_t file_create(const struct output *output, double bytes, struct failure *failure);
/* Takes the disk space of a dataset that was just made, so that a full disk is found before ranks
 * write together: a collective write that fails on one of them leaves the others waiting. Negative:
 * failed. Calls: collective. */
herr_t file_reserve(hid_t dataset, const char *path);
/* Closes a file that was made (or negative), and gives it its name; error: writing it failed.
 * Errors: STATUS_MACHINE. Calls: collective. */
int file_finish(hid_t file, int error, const struct output *output, struct failure *failure);
/* Whether a file could not be closed: HDF5 cannot be shut down in order any more. */
int file_is_lost(void);

/* This rank's cells [lower, upper) of a dataset, cut into blocks of whole k planes of bounded size;
 * all ranks go through the same number of rounds, so that every transfer is collective. */
struct file_blocks {
  int lower[3], upper[3];
  int planes, rounds;
};
/* Calls: collective. */
struct file_blocks file_blocks_of(const int lower[3], const int upper[3]);
/* The block of one round; may be empty. */
void file_block(const struct file_blocks *blocks, int round, int from[3], int to[3]);
/* Elements of [from, to). */
size_t file_elements(const int from[3], const int to[3]);
/* Elements of the largest block. */
size_t file_block_elements(const struct file_blocks *blocks);

/* Block [from, to) of a dataset of shape (nz, ny, nx), to or from contiguous data. Negative:
 * failed. Calls: writing is collective. */
herr_t file_read(hid_t dataset, const int from[3], const int to[3], double *data);
herr_t file_write(hid_t dataset, const int from[3], const int to[3], const double *data);

/* A dataset of doubles with the given rank (1 … 3) and shape in file order, never filled. */
hid_t file_create_dataset(hid_t file, const char *name, int rank, const hsize_t *shape);
/* A small dataset, the same on all ranks. */
herr_t file_put_values(hid_t file, const char *name, const double *values, int rank,
                       const hsize_t *shape);
/* Attributes: text, or `count` numbers (0: a scalar). */
herr_t file_put_text(hid_t object, const char *name, const char *text);
herr_t file_put_doubles(hid_t object, const char *name, const double *values, int count);
herr_t file_put_integers(hid_t object, const char *name, const int *values, int count);
hid_t file_create_group(hid_t file, const char *name);

#endif
