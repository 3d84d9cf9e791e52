/* `gmg run`: takes the steps of a program that a formula file describes. */
#ifndef GMG_IO_RUN_H
#define GMG_IO_RUN_H

#include "common/failure.h"

/* words: what follows "run". Returns the exit status. Calls: collective. */
int run_run(int count, char **words, struct failure *failure);

#endif
