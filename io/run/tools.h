/* Programs that gmg calls: finding and running them. */
#ifndef GMG_IO_TOOLS_H
#define GMG_IO_TOOLS_H

#include <limits.h>
#include <stddef.h>

/* Where one of the names is: what the environment variable says, beside this program, on PATH.
 * Returns 0 where there is none. names: NULL at the end. */
int tools_find(const char *variable, const char *const *names, char path[PATH_MAX]);
/* The folder of this program. Returns 0 where the system does not say. */
int tools_here(char path[PATH_MAX]);
/* Runs words[0], and takes what it prints, as much as there is room for. Returns its exit status,
 * or -1 where it could not be run. */
int tools_run(const char *const *words, char *said, size_t size);
/* A text file, whole. Memory: gives it; NULL: it cannot be read. */
char *tools_read(const char *path);

#endif
