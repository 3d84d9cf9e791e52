/* One launch form of one generated CUDA kernel in one shape: compiled, compared with the CPU's
 * kernel, timed. */
#ifndef GMG_BENCH_CUDA_TRIAL_H
#define GMG_BENCH_CUDA_TRIAL_H

#include "cuda_device.h"
#include "cuda/runtime/cuda_kernel.h"
#include "jit.h"

enum { CUDA_TRIAL_SIZES = 8 };

struct cuda_trial {
  const struct gmg_cuda_kernel *kernel;
  const struct gmg_kernel_descriptor *cpu;
  const struct gmg_cuda_form *form;
  struct gmg_cuda_shape shape;
  struct jit_result compiled;
  struct jit_usage usage;
  int good; /* its bits are right */
  double milliseconds[CUDA_TRIAL_SIZES], bytes[CUDA_TRIAL_SIZES];
  double two_passes[CUDA_TRIAL_SIZES]; /* of both colours: milliseconds by a pass for each */
};

void cuda_trial_compile(struct cuda_trial *t, const char *architecture);
/* Whether the device gives the bits of the CPU on a small box, for each of two colours. */
int cuda_trial_verify(const struct cuda_trial *t, cuda_function function);
/* Memory for what the calls below time: fields of up to `largest` cells along an axis. */
void cuda_trial_prepare(int largest);
/* Number n of the arrays that were prepared, each as large as the largest field. */
cuda_memory cuda_trial_memory(int n);
/* The least of five times of as many starts as take some milliseconds, per start. */
double cuda_trial_least_time(void (*start)(void *), void *context);
/* Milliseconds of a copy from device to device. */
double cuda_trial_copy(size_t bytes);
/* Milliseconds, and the bytes that it must move, of place `size`, with so many cells along an axis
 * of the finer level. */
void cuda_trial_measure(struct cuda_trial *t, cuda_function function, int size, int cells_along);

#endif
