/* CUDA C as C++ on the CPU: what stands before a generated text. The tests of the text and the
 * stand-in compiler both include it; the latter with CUDA_ON_CPU_COOPERATIVE and
 * CUDA_ON_CPU_LINKED. */
#ifndef CUDA_ON_CPU_H
#define CUDA_ON_CPU_H

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "map.h"
#include "threads_on_cpu.h"

#define __device__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

#ifdef CUDA_ON_CPU_COOPERATIVE
#define __forceinline__ inline __attribute__((always_inline))
#define GMG_COPY_ENGINE
#else
#define __forceinline__ inline
#endif

static inline void __syncthreads()
{
  cpu::wait_at_barrier();
}

static inline void __syncwarp(unsigned = 0xffffffffu)
{
  cpu::wait_for_warp();
}

template <typename T> static inline T __shfl_down_sync(unsigned, T value, int distance)
{
  uint64_t bits = 0;
  static_assert(sizeof value <= sizeof bits, "a shuffle moves 8 bytes at most");
  memcpy(&bits, &value, sizeof value);
  bits = cpu::from_lane(bits, distance);
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void __nanosleep(unsigned)
{
  sched_yield();
}

static inline void __threadfence()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <typename T> static inline T atomicAdd(T *at, T value)
{
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

template <typename T> static inline T atomicMax(T *at, T value)
{
  T before = __atomic_load_n(at, __ATOMIC_SEQ_CST);
  while (before < value
         && !__atomic_compare_exchange_n(at, &before, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return before;
}

template <typename T> static inline T __ldg(const T *at)
{
  return *at;
}

/* Values that lie together, at addresses that a GPU takes them from. */
struct double2 {
  double x, y;
} __attribute__((aligned(16), may_alias));
struct float4 {
  float x, y, z, w;
} __attribute__((aligned(16), may_alias));

template <typename T> static inline T __ldcs(const T *at)
{
  return *at;
}

template <typename to, typename from> static inline to cuda_same_bits(from x)
{
  to bits;
  static_assert(sizeof bits == sizeof x, "");
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline long long __double_as_longlong(double x)
{
  return cuda_same_bits<long long>(x);
}

static inline double __longlong_as_double(long long bits)
{
  return cuda_same_bits<double>(bits);
}

static inline int __float_as_int(float x)
{
  return cuda_same_bits<int>(x);
}

static inline float __int_as_float(int bits)
{
  return cuda_same_bits<float>(bits);
}

static inline int __clz(int x)
{
  return x ? __builtin_clz((unsigned)x) : 32;
}

/* What the copy engine does: a box from `first` on, zeros where that is outside the tensor. */
template <typename tensor>
static void gmg_copy_tensor_on_cpu(void *to, const tensor *boxes, const int *first)
{
  const stand_in_map *map = (const stand_in_map *)boxes;
  char *next = (char *)to;
  int at[4];
  for (at[3] = first[3]; at[3] < first[3] + map->box[3]; at[3]++)
    for (at[2] = first[2]; at[2] < first[2] + map->box[2]; at[2]++)
      for (at[1] = first[1]; at[1] < first[1] + map->box[1]; at[1]++)
        for (at[0] = first[0]; at[0] < first[0] + map->box[0]; at[0]++, next += map->real) {
          const char *from = (const char *)map->address;
          bool inside = true;
          for (int n = 0; n < 4; n++) {
            inside = inside && at[n] >= 0 && at[n] < map->extent[n];
            from += at[n] * map->stride[n];
          }
          if (inside)
            memcpy(next, from, (size_t)map->real);
          else
            memset(next, 0, (size_t)map->real);
        }
}

static inline long long clock64()
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

#endif
