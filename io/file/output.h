/* Files that appear whole or not at all: written under a temporary name beside their own, then
 * renamed. */
#ifndef GMG_IO_OUTPUT_H
#define GMG_IO_OUTPUT_H

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "common/failure.h"

struct output {
  char path[PATH_MAX];            /* symbolic links followed */
  char temporary[PATH_MAX + 120]; /* the same as path if it is a device */
  int direct;
};

/* "a/problem.h5" and ".solution.h5" make "a/problem.solution.h5"; other extensions than .h5 and
 * .hdf5 stay. */
int output_name(const char *path, const char *ending, char *name, size_t size,
                struct failure *failure);
/* Checks that a file can be made there, and leaves none; removes what killed runs of this machine
 * left there. devices: a path like /dev/stdout will do. Errors: STATUS_INPUT. Calls: collective. */
int output_prepare(const char *path, int devices, struct output *output, struct failure *failure);
/* Before a large file is made: refuses one that finds no room, before ranks write it together, and
 * lets a signal that ends the program remove it, from here until output_finish. Errors:
 * STATUS_MACHINE. Calls: collective. */
int output_begin(const struct output *output, double bytes, struct failure *failure);
/* Gives the file its name, once it is safely on disk; after a failure removes it. Errors:
 * STATUS_MACHINE. Calls: collective; the file is closed on all ranks. */
int output_finish(const struct output *output, struct failure *failure);
/* output_finish on this rank alone, which no other one waits for. */
int output_finish_alone(const struct output *output, struct failure *failure);

/* A text file as a whole, on this rank alone: write(user, stream) fills it. Errors: STATUS_MACHINE.
 */
int output_text(const struct output *output, void (*write)(const void *user, FILE *stream),
                const void *user, struct failure *failure);

#endif
