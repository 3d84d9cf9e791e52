/* Launches of a program's steps that are prepared, in lists in which they are found again. */
#ifndef GMG_PROGRAMS_STEP_LAUNCH_H
#define GMG_PROGRAMS_STEP_LAUNCH_H

#include "kernel.h"
#include "runtime/stepper.h"

/* What is launched at once: a kernel, the exchange of an array, or what fills the ghosts of arrays
 * beyond their walls. */
struct gmg_step_launch {
  int extent; /* of a kernel: ghosts that it visits; below 0: the part of the box (inside.h) */
  int arrays, holder[GMG_MAX_FIELDS]; /* of a kernel; of an exchange one holder alone */
  int array[GMG_MAX_FIELDS];          /* of walls: whose they are; else zeros */
  struct gmg_launch *launch;          /* NULL: there is nothing to do */
  struct gmg_step_launch *next;
};

/* One for the same extent, arrays and holders; NULL: there is none. */
struct gmg_step_launch *gmg_step_launch_find(struct gmg_step_launch *list,
                                             const struct gmg_step_launch *wanted);
/* Adds a copy. NULL: out of memory. */
struct gmg_step_launch *gmg_step_launch_add(struct gmg_step_launch **list,
                                            const struct gmg_step_launch *wanted);
void gmg_step_launch_free(struct gmg_step_launch *list);

#endif
