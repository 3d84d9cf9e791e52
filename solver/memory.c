#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void *gmg_allocate(struct gmg_memory *memory, size_t bytes)
{
  void *pointer = NULL;
  const int huge = bytes >= 2 * HUGE_PAGE;
  if (posix_memalign(&pointer, huge ? HUGE_PAGE : LINE, bytes ? bytes : LINE))
    return NULL;
#ifdef MADV_HUGEPAGE
  if (huge)
    (void)madvise(pointer, bytes, MADV_HUGEPAGE); /* a hint: refused, all runs as well, only slower */
#endif
  memory->bytes += (int64_t)bytes;
  if (memory->bytes > memory->peak)
    memory->peak = memory->bytes;
  return pointer;
}

void gmg_release(struct gmg_memory *memory, void *pointer, size_t bytes)
{
  if (!pointer)
    return;
  memory->bytes -= (int64_t)bytes;
  free(pointer);
}
