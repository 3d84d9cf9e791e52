/* Records what a gmg solver is called with as a problem file, from any decomposition: `gmg --input
 * FILE`, with the options that the file's /user names, then replays the solve to the same bits. A
 * library of its own, since it needs HDF5: link with gmg::io. Prints nothing. */
#ifndef GMG_IO_H
#define GMG_IO_H

#include <gmg.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct gmg_io_record gmg_io_record;

/* Records a solver into a file from here on: after gmg_solver_create, before the first coefficient
 * is set. Coefficients are written as they are set, and again where they are replaced; right side,
 * initial guess and boundary values in solve number `solve`, counted from 1 and from here on. With
 * that the file is whole: until then it lies beside `path` under another name, and what `path` was
 * stays. Takes the place of any other recorder of the solver. Memory: gives the record; keeps the
 * solver. Errors: GMG_ERR_ARGUMENT, GMG_ERR_MEMORY; GMG_ERR_RECORDER: the file cannot be made.
 * gmg_io_record_message() has the sentence; the record must be finished all the same. */
gmg_status gmg_io_record_start(const char *path, int solve, gmg_solver *solver,
                               gmg_io_record **record);
#ifdef MPI_VERSION
/* The same by all ranks of the context's communicator, or one like it. Calls: collective. Include
 * mpi.h first. */
gmg_status gmg_io_record_start_mpi(MPI_Comm communicator, const char *path, int solve,
                                   gmg_solver *solver, gmg_io_record **record);
#endif
/* Whether the file is whole. */
int gmg_io_record_done(const gmg_io_record *record);
/* What went wrong last; the record's. */
const char *gmg_io_record_message(const gmg_io_record *record);
/* Ends it, before the solver is destroyed; a file that is not whole is removed. NULL is allowed.
 * Calls: collective. */
void gmg_io_record_finish(gmg_io_record **record);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
