#include "isa.h"

#include <string.h>

int gmg_isa_runs(const char *isa)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  const int v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
    && __builtin_cpu_supports("bmi2");
  if (strcmp(isa, "x86-64-v3") == 0)
    return v3;
  if (strcmp(isa, "x86-64-v4") == 0)
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
      && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl");
#endif
  return strcmp(isa, "baseline") == 0;
}
