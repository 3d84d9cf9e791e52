/* Generated CUDA kernels on the CPU as a library of kernels: what compares OpenMP kernels with
 * their specs compares these. */
#ifndef GMG_TEST_ON_CPU_KERNELS_H
#define GMG_TEST_ON_CPU_KERNELS_H

#include "fibers.h"
#include "kernel.h"

/* How the library's kernels run from now on. */
struct on_cpu_way {
  /* -1: SYMBOL_cells in several blocks; a kernel without that many forms takes its first */
  int form;
  enum fiber_order threads, blocks;
  int leave_out; /* see struct fiber_launch; -1 */
  int many;      /* 1: a form covers all boxes of a call in one launch */
};
void on_cpu_set(const struct on_cpu_way *way);
/* Whether the last call came to the barrier that is left out. */
int on_cpu_left_out(void);
/* Launches that waited for ever so far. */
int on_cpu_stuck(void);
/* The most forms that any kernel has. */
int on_cpu_forms(void);

/* Says which of the library's kernels is about to be called (struct test_runs). */
void on_cpu_calling(const struct gmg_kernel_descriptor *kernel);

/* Runs the form of a Gauss-Seidel kernel that does both colours in one pass. 0: it has none. */
struct gmg_cuda_args;
int on_cpu_staged(const struct gmg_kernel_descriptor *kernel, const struct gmg_cuda_args *args);

/* The same kernels in the same order as in the OpenMP library; a kernel without a CUDA text is
 * named on stderr, and NULL given. */
const struct gmg_kernel_library *on_cpu_library(const struct gmg_kernel_library *openmp);

#endif
