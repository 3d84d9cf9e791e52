/* Blocks of threads on the CPU, for cuda_on_cpu.h: what a kernel calls, and how one is run. With
 * CUDA_ON_CPU_LINKED the object of threads_on_cpu.cpp is linked with the file that includes this,
 * which compiles in half the time; else all of it belongs to that file. */
#ifndef THREADS_ON_CPU_H
#define THREADS_ON_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "fibers.h"

#ifdef CUDA_ON_CPU_LINKED
#define CPU_FUNCTION __attribute__((visibility("hidden")))
#define CPU_VARIABLE extern __thread __attribute__((visibility("hidden")))
#else
#define CPU_FUNCTION static inline
#define CPU_VARIABLE static __thread
#endif

/* Shared memory: in a section that can be filled, if no blocks run at once; else of each system
 * thread. */
#ifdef CUDA_ON_CPU_COOPERATIVE
#define __shared__ static thread_local
#else
#define __shared__ static __attribute__((section("on_cpu_shared")))
extern "C" char __start_on_cpu_shared[], __stop_on_cpu_shared[];
#endif
#define gmg_shared(name, bytes) __shared__ char name[bytes] __attribute__((aligned(128)))

struct cuda_index {
  unsigned x, y, z;
};
CPU_VARIABLE cuda_index threadIdx, blockIdx, blockDim, gridDim;

namespace cpu
{
CPU_FUNCTION void wait_at_barrier();
CPU_FUNCTION void wait_for_warp();
/* The value that the thread `distance` further on in the warp gives; the own one at the end. */
CPU_FUNCTION uint64_t from_lane(uint64_t value, int distance);
/* Runs a kernel. Returns 0 if threads of a block wait for each other at different places. */
CPU_FUNCTION int run(fiber_launch *launch, void (*call)(const void *), const void *argument);
} // namespace cpu

#ifndef CUDA_ON_CPU_LINKED
#include "run_on_cpu.h"
#endif

#endif
