/* What may change between solves without a setup: options that a solve reads, a and b, boundary
 * values. */
#ifndef GMG_CHANGE_H
#define GMG_CHANGE_H

#include "problem/solver.h"

/* Sets an option of a solver that is set up. Errors: GMG_ERR_ORDER where setup has fixed it,
 * GMG_ERR_OPTION, GMG_ERR_MEMORY: the option is as before. */
gmg_status gmg_change_option(gmg_solver *solver, const char *name, const char *value);

#endif
