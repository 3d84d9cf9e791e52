/* How a dataset is stored: whether everything that its values need can be found and undone here. */
#ifndef GMG_IO_STORAGE_H
#define GMG_IO_STORAGE_H

#include "object.h"

/* Every filter is installed, values in the header are as many as the shape says, the index of the
 * chunks leads to its end, and the sources of a virtual dataset and the raw files of an external
 * one are there (HDF5 itself would take zeros for what is missing). Errors: STATUS_INPUT. Calls:
 * this rank alone. */
int storage_check(const struct object *dataset);

#endif
