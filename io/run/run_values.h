/* Words of the command line that `gmg run` and `gmg tune` read alike. */
#ifndef GMG_IO_RUN_VALUES_H
#define GMG_IO_RUN_VALUES_H

#include "run_request.h"

/* The numbers of --cells, one to three. Errors: STATUS_INPUT. */
int run_values_cells(const char *text, struct run_request *request, struct failure *failure);
/* The parameters of --set, A=1,B=2. Errors: STATUS_INPUT. */
int run_values_sets(const char *text, struct run_request *request, struct failure *failure);

#endif
