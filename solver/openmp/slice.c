#include "slice.h"

#include <stdint.h>

#if defined __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined __linux__ && defined SYS_sched_setattr && defined SYS_sched_getattr

/* Chosen, not searched for. */
static const uint64_t shortest = 500000;

/* sched_setattr(2), its first version; `runtime` of a thread without deadlines is its turn, since Linux 6.12. */
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

static int get(struct attributes *attributes)
{
  const int known = syscall(SYS_sched_getattr, 0, attributes, sizeof *attributes, 0) == 0;
  return known && (attributes->policy == SCHED_OTHER || attributes->policy == SCHED_BATCH) && attributes->runtime > 0;
}

static void set(struct attributes *attributes, uint64_t runtime)
{
  attributes->size = sizeof *attributes;
  attributes->runtime = runtime;
  syscall(SYS_sched_setattr, 0, attributes, 0);
}

unsigned long long gmg_slice_shorten(void)
{
  struct attributes attributes = {0};
  if (!get(&attributes) || attributes.runtime <= shortest)
    return 0;
  const uint64_t before = attributes.runtime;
  set(&attributes, shortest);
  return before;
}

void gmg_slice_restore(unsigned long long before)
{
  struct attributes attributes = {0};
  if (before && get(&attributes))
    set(&attributes, before);
}

#else

unsigned long long gmg_slice_shorten(void)
{
  return 0;
}

void gmg_slice_restore(unsigned long long before)
{
  (void)before;
}

#endif
