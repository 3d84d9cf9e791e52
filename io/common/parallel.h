/* The ranks of the program: the one place in io that uses MPI. Without MPI the same interface for a
 * single rank. */
#ifndef GMG_IO_PARALLEL_H
#define GMG_IO_PARALLEL_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "gmg.h"
#include "gmg_io.h"

/* Returns 0, or a failure: a launcher started several ranks, which a build without MPI cannot be.
 * Calls: collective, as everything below that is not marked local. An error of MPI in any of them
 * ends the program (parallel_lose). */
int parallel_start(int *argc, char ***argv, struct failure *failure);
void parallel_finish(void);
/* Ends the program at once on all ranks: HDF5 crashes when it is shut down after a file could not
 * be closed. */
_Noreturn void parallel_leave(int status);
/* An MPI call failed, here or on another rank, so that ranks cannot agree any more: says so,
 * removes the file that is being written, and ends the program on all ranks with STATUS_MACHINE.
 * Calls: local. */
_Noreturn void parallel_lose(const char *text);
int parallel_rank(void);  /* local */
int parallel_ranks(void); /* local */
/* Whether a launcher (mpirun, srun, ...) started this process. Local; allowed inside a signal
 * handler. */
int parallel_launched(void);

/* All ranks get the same failure: that of the lowest rank among the worst statuses. Returns its
 * status. */
int parallel_agree(struct failure *failure);
int64_t parallel_max(int64_t value);
void parallel_sum(double *values, int count);
void parallel_max_values(double *values, int count);
/* Every rank's value, by rank: all has room for as many as there are. */
void parallel_share(double own, double *all);
/* Rank 0's bytes, to all. */
void parallel_broadcast(void *bytes, size_t count);
/* Rank 0 calls take(user, rank, text) with every rank's text, by rank. */
void parallel_gather(const char *text, void (*take)(void *user, int rank, const char *text),
                     void *user);

/* HDF5 property lists for files that all ranks open together, and for collective transfers. Memory:
 * give. */
hid_t parallel_file_access(void);
hid_t parallel_transfer(void);

/* The library's context on all ranks. Memory: gives the context. */
gmg_status parallel_context(int threads, gmg_context **context);
/* Records what the solver is called with (gmg_io.h), on all ranks. Memory: gives the record, if
 * there is one. */
gmg_status parallel_record(const char *path, gmg_solver *solver, gmg_io_record **record);
/* Version of the MPI library, or a phrase that says there is none. Memory: static. */
const char *parallel_version(void);

/* Turns what the library says into the program's failure, and returns its status. context: NULL
 * allowed. An error of MPI ends the program. Calls: local. */
int parallel_refused(gmg_context *context, gmg_status status, struct failure *failure);

#endif
