/* Files on disk: read whole, replaced whole, and locked meanwhile. */
#ifndef GMG_WISDOM_DISK_H
#define GMG_WISDOM_DISK_H

#include "wisdom.h"

/* Reads a regular file of at most GMG_WISDOM_BYTES. Errors: GMG_WISDOM_ABSENT, UNREADABLE, MEMORY:
 * the sentence says why. Memory: gives the text, for free(). */
enum gmg_wisdom_status gmg_wisdom_read_file(const char *path, char **text, size_t *bytes,
                                            char *sentence);

/* Replaces a file: written beside it, flushed to the disk, renamed. Calls: under the lock. Errors:
 * GMG_WISDOM_UNWRITABLE. */
enum gmg_wisdom_status gmg_wisdom_replace_file(const char *path, const char *text, size_t bytes,
                                               char *sentence);

/* Gives a file the further name `path` and ".refused", in place of what had it. Errors:
 * GMG_WISDOM_UNWRITABLE. */
enum gmg_wisdom_status gmg_wisdom_keep_aside(const char *path, char *sentence);

/* Creates the folders that lead to a file. Errors: GMG_WISDOM_UNWRITABLE. */
enum gmg_wisdom_status gmg_wisdom_make_folders(const char *path, char *sentence);

/* Locks a file against other processes that save, and waits up to GMG_WISDOM_PATIENCE seconds for
 * them. Gives a descriptor; gmg_wisdom_unlock takes it. Errors: GMG_WISDOM_BUSY, UNWRITABLE. */
enum { GMG_WISDOM_PATIENCE = 30 };
enum gmg_wisdom_status gmg_wisdom_lock(const char *path, int *lock, char *sentence);
void gmg_wisdom_unlock(int lock);

#endif
