/* Parts of the grid for ranks of unlike speeds, found by trial (gmg run --weights auto). */
#ifndef GMG_IO_RUN_WEIGHTS_H
#define GMG_IO_RUN_WEIGHTS_H

#include "begin.h"

/* Finds the weight of this rank's part, to b->weight: steps are timed on the program's grid, cut
 * again and again in proportion to what ranks computed in the time that they did not wait. Where
 * some ranks have a device and others none, parts for one kind alone are tried, too: devices alone
 * are taken unless all are faster by a percent. The weights of all ranks are printed. Takes a
 * second or a few, and as much memory as the program. Errors: those of begin_make. Calls:
 * collective. */
int weights_find(const struct run_request *request, struct beginning *b,
                 const struct progress *progress, struct failure *failure);

#endif
