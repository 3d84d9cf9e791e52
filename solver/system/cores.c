#include "cores.h"

#include <stddef.h>
#include <string.h>

#if defined __linux__
#include <sched.h>
#endif

void gmg_cores_own(struct gmg_cores *cores)
{
  memset(cores, 0, sizeof *cores);
#if defined __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return;
  for (int core = 0; core < GMG_CORES && core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &set))
      cores->mask[core / 8] |= (unsigned char)(1 << core % 8);
#endif
}

int gmg_cores_count(const struct gmg_cores *cores, int sets)
{
  int count = 0;
  for (size_t n = 0; n < sizeof cores->mask; n++) {
    unsigned together = 0;
    for (int s = 0; s < sets; s++)
      together |= cores[s].mask[n];
    for (; together; together &= together - 1)
      count++;
  }
  return count;
}
