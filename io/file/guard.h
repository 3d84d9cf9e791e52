/* Damaged files on which the HDF5 library itself crashes, or never comes to an end. Two nets: the
 * structure of a file is read in a child process first; and while this process is inside HDF5, a
 * crash becomes a message and the exit status of bad input. On a sound file neither is noticed. */
#ifndef GMG_IO_GUARD_H
#define GMG_IO_GUARD_H

#include "common/failure.h"

/* Calls read(path, failure) in a child process with a bounded processor time and memory. What it
 * records there comes back in `failure`; a child that crashes or is stopped by its bounds is a
 * failure too, which names the object that was being read. Where no process can be made, nothing is
 * done. Calls: this rank alone, before there are other threads. Errors: what read records,
 * STATUS_INPUT. */
int guard_rehearse(const char *path, int (*read)(const char *path, struct failure *failure),
                   struct failure *failure);

/* Notes which object is read from here on. Memory: copies the name. */
void guard_at(const char *object);

/* Around calls of HDF5 that read a file which may be damaged: a fatal signal prints a sentence
 * about `path` and the noted object and ends the process with STATUS_INPUT. Keeps path until
 * guard_leave. */
void guard_enter(const char *path);
void guard_leave(void);

#endif
