/* Words of CUDA C that mean the same on the CPU, whatever runs the threads. */
#ifndef GMG_TEST_ON_CPU_WORDS_H
#define GMG_TEST_ON_CPU_WORDS_H

#include <string.h>

#define __device__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

template <typename T> static inline T __ldg(const T *at)
{
  return *at;
}

template <typename T> static inline T __ldcs(const T *at)
{
  return *at;
}

static inline long long __double_as_longlong(double x)
{
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double __longlong_as_double(long long bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline int __clz(int x)
{
  return x ? __builtin_clz((unsigned)x) : 32;
}

static inline int __float_as_int(float x)
{
  int bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float __int_as_float(int bits)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif
