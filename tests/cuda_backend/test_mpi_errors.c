/* ranks: 2
 * needs: mpi */
/* Calls of MPI that are done, and return an error to one rank alone, while the other one's device
 * waits for its device; the other errors are those of tests/library/test_mpi_errors_mpi.c. What
 * must vanish: runs in which some rank does not get GMG_ERR_MPI within ten seconds. */
#define GMG_TEST_BACKEND "cuda"
#include "../library/test_mpi_errors_mpi.c"
