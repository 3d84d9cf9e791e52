/* Whether OpenMP has bound the threads of several ranks to the same cores of a machine
 * (OMP_PROC_BIND without a binding of ranks). */
#ifndef GMG_OPENMP_BOUND_H
#define GMG_OPENMP_BOUND_H

#include "comm.h"

/* Finds out, after gmg_comm_meet: a sentence for people, the same on all ranks; "" where nothing is
 * wrong. Starts the threads where OpenMP binds them. Calls: collective. Returns 0 or an MPI error
 * code. */
int gmg_bound_note(struct gmg_comm *comm, char *text, int size);

#endif
