/* Where what was tuned is saved. */
#ifndef GMG_IO_WISDOM_PLACE_H
#define GMG_IO_WISDOM_PLACE_H

#include <limits.h>

#include "common/failure.h"

struct wisdom_place {
  char path[PATH_MAX];
  int saves; /* 1: to `path`; 0: nothing is saved */
};

/* Finds out, before anything is measured, whether wisdom can be saved: to the file `named`, or NULL
 * for the user's own. Where that one cannot be written a line says so, and nothing is saved.
 * Errors: STATUS_INPUT (a file that was named). Calls: collective. */
int wisdom_place_prepare(const char *named, struct wisdom_place *place, struct failure *failure);
/* Makes the file where nothing has been saved, so that a later --wisdom FILE finds it. Errors:
 * STATUS_INPUT. Calls: collective. */
int wisdom_place_finish(const struct wisdom_place *place, struct failure *failure);

#endif
