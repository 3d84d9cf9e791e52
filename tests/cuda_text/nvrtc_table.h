/* Compiles all generated CUDA texts by NVRTC and says what they need of a GPU. */
#ifndef GMG_TEST_NVRTC_TABLE_H
#define GMG_TEST_NVRTC_TABLE_H

/* All forms of one kernel in `every` in their default shapes, for these architectures, with a table
 * of registers, shared memory and occupancy. Returns the number of forms that do not compile, or
 * that spill with split rows, the solver's default; -1: there is no NVRTC, and it was said. */
int nvrtc_table(const char *const *architecture, int architectures, int every);

/* The coarse tail's kernel, with the sweeps, transfers and zeroing of variable7 in double with
 * split rows, whose accesses to memory in the order that other thread blocks see are written in the
 * machine's own words. Returns as above. */
int nvrtc_tail(const char *const *architecture, int architectures);

#endif
