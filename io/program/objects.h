/* The library's objects of a problem, as solving and benchmarking make them. */
#ifndef GMG_IO_OBJECTS_H
#define GMG_IO_OBJECTS_H

#include "common/arguments.h"
#include "common/failure.h"
#include "file/problem.h"
#include "gmg.h"

/* The context and the grid, with its sides. Memory: gives both, also after a failure, where they
 * may be NULL. Calls: collective. */
int objects_grid(const struct arguments *arguments, const struct problem *problem,
                 gmg_context **context, gmg_grid **grid, struct failure *failure);
/* A solver with the equation's scalars and the options of the command line. Likewise. */
int objects_solver(const struct arguments *arguments, const struct problem *problem,
                   gmg_context *context, gmg_grid *grid, gmg_solver **solver,
                   struct failure *failure);

#endif
