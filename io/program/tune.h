/* The verb `gmg tune`: finds what is the fastest on this machine, and saves it as wisdom. */
#ifndef GMG_IO_TUNE_H
#define GMG_IO_TUNE_H

#include "common/failure.h"

/* words: what follows "tune". Returns the exit status. Errors: STATUS_INPUT, STATUS_MACHINE.
 * Calls: collective. */
int tune_run(int count, char **words, struct failure *failure);

#endif
