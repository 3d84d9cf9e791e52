/* What the Python package calls besides gmg.h. */
#ifndef GMG_PYTHON_CALLS_H
#define GMG_PYTHON_CALLS_H

#include "gmg.h"

#pragma GCC visibility push(default)

/* The version of the library: "0.2.0". Memory: static. */
const char *gmg_python_version(void);
/* 1 where the library was built with MPI. */
int gmg_python_with_mpi(void);
/* What the MPI library says of itself, which two builds of one MPI say alike; "" without MPI.
 * Memory: static. */
const char *gmg_python_mpi_library(void);
/* A context on all ranks of an MPI communicator. communicator: the address of an MPI_Comm; 0: a
 * context on one rank. Memory: gives the context. Calls: collective with a communicator. Errors:
 * those of gmg_context_create_mpi; GMG_ERR_UNSUPPORTED in a build without MPI. */
gmg_status gmg_python_context_create(uintptr_t communicator, int threads, gmg_context **context);
/* 1 where MPI_Finalize was called, after which no object on several ranks may be destroyed. */
int gmg_python_mpi_finalized(void);
/* What Python is told after every cycle of a solve, and while it tunes. They return 0 where they
 * have raised: the call then ends as after gmg_solver_stop. */
typedef int gmg_python_monitor(int cycle, double norm, double relative, double seconds);
typedef int gmg_python_progress(const char *subject, int measured, int of, double seconds_left);
/* gmg_solver_solve. monitor: NULL or a function, told of this solve alone. main_thread: 1 in the
 * thread that Python runs its signal handlers for. There SIGINT ends the solve after its cycle, and
 * reaches the handler that Python has installed when the solve has ended. */
gmg_status gmg_python_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result, gmg_python_monitor *monitor, int main_thread);
/* gmg_solver_tune; budget and exhaustive as in gmg_tuning, the rest as in gmg_python_solve. */
gmg_status gmg_python_tune(gmg_solver *solver, double budget, int exhaustive,
                           gmg_python_progress *progress, gmg_tuning_result *result,
                           int main_thread);
/* gmg_context_add_operators with the address of a list of kernel libraries. */
gmg_status gmg_python_add_operators(gmg_context *context, uintptr_t operators);

#pragma GCC visibility pop
#endif
