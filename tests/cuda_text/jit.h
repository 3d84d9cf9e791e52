/* CUDA C to machine code by NVRTC, which is opened at run time: tests need no toolkit to be built.
 */
#ifndef GMG_TEST_JIT_H
#define GMG_TEST_JIT_H

#include <stddef.h>

/* Opens NVRTC: 0 and a reason in `why` if there is none. */
int jit_open(char *why, size_t size);

struct jit_result {
  char *cubin; /* NULL: it does not compile */
  size_t bytes;
  char *log; /* errors; of what compiles, registers, shared memory and spills of every kernel */
};

/* Compiles a program for an architecture ("sm_90") with the options that generated kernels want.
 * Threads may do so side by side. Memory: gives the result. */
void jit_compile(const char *text, const char *architecture, struct jit_result *result);
void jit_clear(struct jit_result *result);

/* What the log says of a kernel; 0: nothing. */
struct jit_usage {
  int registers, shared, spilled; /* bytes of shared memory and of spills */
};
int jit_usage(const char *log, const char *kernel, struct jit_usage *usage);

#endif
