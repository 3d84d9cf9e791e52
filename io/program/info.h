/* The verb `gmg info`: what this build has, and what it would use here. */
#ifndef GMG_IO_INFO_H
#define GMG_IO_INFO_H

#include "common/failure.h"

/* words: what follows "info". Calls: collective. */
int info_run(int count, char **words, struct failure *failure);

#endif
