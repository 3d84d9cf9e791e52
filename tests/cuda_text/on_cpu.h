/* CUDA C on the CPU, for tests: what generated texts use of it. Included in front of the text,
 * which is then compiled as C++. A block's threads are fibers that run one at a time, each until it
 * waits or ends; blocks run one after the other. So what is not ordered by a barrier happens in the
 * order that the test asks for. */
#ifndef GMG_TEST_ON_CPU_H
#define GMG_TEST_ON_CPU_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "on_cpu_words.h"

#define __forceinline__ inline
#define __shared__ static __attribute__((section("on_cpu_shared")))
#define gmg_shared(name, bytes) \
  static __attribute__((section("on_cpu_shared"), aligned(128))) char name[bytes]

struct on_cpu_index {
  unsigned x, y, z;
};
extern struct on_cpu_index threadIdx, blockIdx, blockDim, gridDim;

/* Waits for all threads of the block; of the warp. The former counts how often, so that a test can
 * leave one out. */
void __syncthreads(void);
void on_cpu_warp(void);
/* The value that the thread `distance` behind in the warp gives; the own one at the warp's end. */
uint64_t on_cpu_from_behind(uint64_t value, int distance);

template <typename T> static inline T __shfl_down_sync(unsigned, T value, int distance)
{
  uint64_t bits = 0;
  static_assert(sizeof value <= sizeof bits, "a shuffle moves 8 bytes at most");
  memcpy(&bits, &value, sizeof value);
  bits = on_cpu_from_behind(bits, distance);
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void atomicAdd(unsigned long long *to, unsigned long long value)
{
  *to += value;
}

static inline void atomicMax(long long *to, long long value)
{
  *to = value > *to ? value : *to;
}

#endif
