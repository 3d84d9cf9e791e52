/* ranks: 2
 * needs: mpi */
/* The same as tests/library/test_mpi_errors_mpi.c, for errors that only one rank sees while the
 * other one's device waits for its device: calls of MPI that are done, and return an error. What
 * must vanish: runs in which some rank does not get GMG_ERR_MPI within ten seconds. */
#define GMG_TEST_BACKEND "cuda"
#include "../library/test_mpi_errors_mpi.c"
