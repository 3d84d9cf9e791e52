/* Compiles all generated CUDA texts by NVRTC and says what they need of a GPU. */
#ifndef GMG_TEST_NVRTC_TABLE_H
#define GMG_TEST_NVRTC_TABLE_H

/* Forms in their default shapes, for these architectures: of all kernels, or of those in double with split rows, which are what
 * the solver takes by default. Registers, shared memory and occupancy are printed of all kernels, or where there are several
 * architectures. Returns the number of forms that do not compile or that spill; -1: there is no NVRTC, and it was said. */
int nvrtc_table(const char *const *architecture, int architectures, int all);

/* The coarse tail's kernel, with the sweeps, transfers and zeroing of variable7 in double with split rows, whose accesses to memory in
 * the order that other thread blocks see are written in the machine's own words. Returns as above. */
int nvrtc_tail(const char *const *architecture, int architectures);

#endif
