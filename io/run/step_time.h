/* Times of a program's steps, alike on all ranks: those of the slowest one. */
#ifndef GMG_IO_RUN_STEP_TIME_H
#define GMG_IO_RUN_STEP_TIME_H

#include "gmg_program.h"

struct step_time {
  double seconds, default_seconds; /* of a step: medians */
  double ratio, low, high; /* the first over the second: median, and bounds of 95 % confidence */
};

/* Takes steps, and says how long that took. Errors: those of gmg_program_run. Calls: collective. */
gmg_status step_time_take(gmg_program *program, int64_t steps, double *seconds);
/* Takes so many steps of both programs in turns, `rounds` times. Errors: those of gmg_program_run,
 * GMG_ERR_MEMORY. Calls: collective. */
gmg_status step_time_compare(gmg_program *standard, gmg_program *other, int64_t steps, int rounds,
                             struct step_time *time);

#endif
