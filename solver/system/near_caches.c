#include "near_caches.h"

#include "order.h"

#include <unistd.h>

double gmg_cache_second(void)
{
  enum { IF_UNKNOWN = 1 << 20 };
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return cache > 0 ? (double)cache : IF_UNKNOWN;
}

double gmg_cache_third_near(double most)
{
  long cache = 0;
#if defined __x86_64__
  if (__builtin_cpu_is("amd"))
    cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return gmg_least((double)cache, most);
}
