/* `gmg tune FILE.stencil`: how the steps of a program are taken the fastest on this machine. */
#ifndef GMG_IO_TUNE_RUN_H
#define GMG_IO_TUNE_RUN_H

#include "common/failure.h"

/* Whether the words after "tune" name a program: a formula file, a compiled one, or C with
 * --from. */
int tune_run_is_program(int count, char **words);
/* Returns the exit status. Calls: collective. */
int tune_run_program(int count, char **words, struct failure *failure);

#endif
