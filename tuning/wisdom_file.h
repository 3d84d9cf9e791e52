/* Files of wisdom: read, written, and where they are. */
#ifndef GMG_WISDOM_FILE_H
#define GMG_WISDOM_FILE_H

#include "wisdom.h"

/* As gmg_wisdom_load, with the text of a file. Errors besides: GMG_WISDOM_ABSENT, UNREADABLE. */
enum gmg_wisdom_status gmg_wisdom_load_file(struct gmg_wisdom *wisdom, const char *path,
                                            struct gmg_wisdom_report *report);

/* Which entries are saved. */
enum gmg_wisdom_part { GMG_WISDOM_ADDED, GMG_WISDOM_ALL };

/* Adds entries of the table to a file, and creates it and its folders where they are missing. The
 * file keeps what else it has, foreign entries too, but for stale and invalid entries of this
 * machine. A file that is not wisdom, or is of an older version, is kept beside it under its name
 * and ".refused", and the sentence says so. At any time the path has the old file or the new one,
 * and processes that save at the same time wait for each other (on a lock file, the path and
 * ".lock"). `sentence` (of GMG_WISDOM_SENTENCE bytes, or NULL) says what was done or what is wrong.
 * Errors: GMG_WISDOM_UNWRITABLE, UNREADABLE, NEWER, BUSY, FULL, MEMORY: the file is as it was.
 * Entries then stay `added`. */
enum gmg_wisdom_status gmg_wisdom_save(struct gmg_wisdom *wisdom, enum gmg_wisdom_part part,
                                       const char *path, char *sentence);

/* Where the user's own wisdom is: $XDG_CACHE_HOME/gmg/wisdom.json, or else
 * $HOME/.cache/gmg/wisdom.json. Errors: GMG_WISDOM_ABSENT if neither variable holds an absolute
 * path, or it is longer than `size`: then path is "". */
enum gmg_wisdom_status gmg_wisdom_user_path(char *path, size_t size);

/* The folder share/gmg/wisdom of the installation that this library or program belongs to, which
 * may have been moved. Errors: GMG_WISDOM_ABSENT if there is none: then path is "". */
enum gmg_wisdom_status gmg_wisdom_shipped_folder(char *path, size_t size);

/* Loads all files *.json of a folder, in the order of their names, each by itself. Returns the
 * status of the first that was refused, whose sentence is in the report; the counts are the sums
 * over all files. Errors besides: GMG_WISDOM_ABSENT. */
enum gmg_wisdom_status gmg_wisdom_load_folder(struct gmg_wisdom *wisdom, const char *folder,
                                              struct gmg_wisdom_report *report);

#endif
