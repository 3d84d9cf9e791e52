/* How much memory a problem takes to solve: told by --check, and compared with what may be had
 * before any of it is spent. */
#ifndef GMG_IO_ROOM_H
#define GMG_IO_ROOM_H

#include "common/failure.h"
#include "gmg.h"
#include "file/values.h"

/* What the values decide about memory. */
struct room_found {
  int alpha_varies, beta_jumps;
};

/* Reads and checks every field that the problem has, keeps nothing, and finds the above. Calls:
 * collective. Errors: STATUS_INPUT, STATUS_MACHINE. */
int room_look(struct values *values, struct room_found *found, struct failure *failure);
/* Refuses a problem that does not fit, by what is known (found: NULL, nothing has been read), and
 * gives what it takes, this program's own arrays with it; all ranks together. Calls: collective.
 * Errors: STATUS_MACHINE says how much is needed, and how much there is; STATUS_INPUT: the solver
 * refuses the problem. */
int room_check(gmg_context *context, gmg_solver *solver, const struct values *values,
               const struct room_found *found, double *bytes, struct failure *failure);
/* Refuses a problem of which two such solvers do not fit at the same time, likewise. */
int room_check_two(gmg_context *context, gmg_solver *solver, const struct values *values,
                   struct failure *failure);

#endif
