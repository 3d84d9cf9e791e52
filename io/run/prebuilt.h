/* Compiled programs as files of their own, for machines without gmg-gen or a compiler. */
#ifndef GMG_IO_PREBUILT_H
#define GMG_IO_PREBUILT_H

#include "compiled.h"

/* Whether the name is that of a compiled program: it ends in .so. */
int prebuilt_named(const char *path);
/* Loads such a file. Memory: gives the library. Errors: STATUS_INPUT. Calls: collective. */
int prebuilt_load(const char *path, struct compiled *compiled, struct failure *failure);
/* Writes what was compiled to a file. Errors: STATUS_INPUT, STATUS_MACHINE. Calls: collective. */
int prebuilt_write(const struct compiled *compiled, const char *path, struct failure *failure);

#endif
