/* What the Python package calls besides gmg.h. */
#ifndef GMG_PYTHON_CALLS_H
#define GMG_PYTHON_CALLS_H

#include "gmg.h"

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
/* gmg_solver_solve. main_thread: 1 in the thread that Python runs its signal handlers for. There
 * SIGINT ends the solve after its cycle, and then reaches the handler that Python has installed. */
gmg_status gmg_python_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result, int main_thread);
/* gmg_context_add_operators with the address of a list of kernel libraries. */
gmg_status gmg_python_add_operators(gmg_context *context, uintptr_t operators);

#endif
