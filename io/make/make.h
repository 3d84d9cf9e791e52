/* The verb `gmg make`: writes a problem file. */
#ifndef GMG_IO_MAKE_H
#define GMG_IO_MAKE_H

#include "common/failure.h"

/* words: what follows "make". Memory: bounded, whatever the number of cells. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective. */
int make_run(int count, char **words, struct failure *failure);

#endif
