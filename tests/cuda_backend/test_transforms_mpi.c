/* ranks: 6
 * needs: mpi */
/* Preconditions: 6 ranks, a device, or the CPU standing in for one; a build with KissFFT. What must
 * vanish, to 1e-12 of the largest value: the difference of the solution by method fft on devices,
 * with any number of ranks, size of boxes and parts of the caller's, from that on one rank of the
 * host. */
#define GMG_TEST_BACKEND "cuda"
#define TOLERANCE 1e-12
#define TURNS 3
#include "../fourier/test_invariance_mpi.c"
