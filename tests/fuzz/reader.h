/* What every fuzz target does with an HDF5 file in memory: reads it as the program does. */
#ifndef GMG_FUZZ_READER_H
#define GMG_FUZZ_READER_H

#include <hdf5.h>
#include <stddef.h>

/* An access list for files in memory alone; image (may be NULL: an empty file): its bytes, copied. Memory: give. */
hid_t reader_access(const void *image, size_t size);
/* Reads and checks the problem in an open file, its values too where they are few, and closes it. Aborts if a refusal is no
 * sentence that names the file. */
void reader_run(hid_t file);

#endif
