/* Two steps in one launch on a device (program_table.h): half of what single steps read and write.
 * The values are those of single steps to the last bit. */
#ifndef GMG_PROGRAMS_TWICE_H
#define GMG_PROGRAMS_TWICE_H

#include "program.h"

/* Says whether a program that is being put on a device takes two steps in one pass, and why not:
 * info.steps_per_pass, info.single_steps. Then its kernel is to be loaded beside the others, and
 * gmg_launches_prepare prepares its launches. Returns -1 out of memory. */
int gmg_twice_plan(struct gmg_program *program);
void gmg_twice_free(struct gmg_program *program);
/* Takes as many of the steps in passes of two as can be so that afterwards all that can be seen is
 * as single steps leave it. Returns how many. */
int64_t gmg_twice_take(struct gmg_program *program, int64_t steps);

#endif
