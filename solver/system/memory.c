#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

static _Thread_local struct gmg_memory *account;

struct gmg_memory *gmg_account(struct gmg_memory *memory)
{
  struct gmg_memory *before = account;
  account = memory;
  return before;
}

void gmg_memory_count(struct gmg_memory *memory, int64_t bytes)
{
  if (!memory)
    return;
  memory->bytes += bytes;
  if (memory->bytes > memory->peak)
    memory->peak = memory->bytes;
}

/* A hint about the whole pages of a block: refused, all runs as well, only slower. */
static void advise(void *pointer, size_t bytes, int advice)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), skipped = -(uintptr_t)pointer % page;
  if (bytes >= skipped + page)
    (void)madvise((char *)pointer + skipped, (bytes - skipped) / page * page, advice);
}

/* For a block that has room for one. Setup of 64^3 cells, whose fields are of two MiB, takes 0.73
 * of the time that it takes with small ones. */
static void prefer_huge_pages(void *pointer, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (bytes >= HUGE_PAGE)
    advise(pointer, bytes, MADV_HUGEPAGE);
#else
  (void)pointer, (void)bytes;
#endif
}

int gmg_memory_in_small_pages(size_t bytes)
{
  return bytes < HUGE_PAGE;
}

void gmg_memory_touch(void *pointer, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  advise(pointer, bytes, MADV_POPULATE_WRITE);
#else
  (void)pointer, (void)bytes;
#endif
}

void *gmg_allocate(struct gmg_memory *memory, size_t bytes)
{
  void *pointer = NULL;
  if (posix_memalign(&pointer, bytes >= HUGE_PAGE ? HUGE_PAGE : LINE, bytes ? bytes : LINE))
    return NULL;
  prefer_huge_pages(pointer, bytes);
  gmg_memory_count(memory, (int64_t)bytes);
  return pointer;
}

void gmg_release(struct gmg_memory *memory, void *pointer, size_t bytes)
{
  if (!pointer)
    return;
  gmg_memory_count(memory, -(int64_t)bytes);
  free(pointer);
}

void *gmg_reserve(size_t bytes)
{
  void *pointer = mmap(NULL, bytes ? bytes : LINE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pointer == MAP_FAILED ? NULL : pointer;
}

void gmg_unreserve(void *pointer, size_t bytes)
{
  if (pointer)
    munmap(pointer, bytes ? bytes : LINE);
}

/* Large fields begin where the same sets of caches begin, so that what keeps them apart (level.c)
 * does; others on pages, or for a copy on a device. */
static int64_t alignment_of(int64_t bytes)
{
  const int64_t ways = 128 << 10, page = 4 << 10, least = 256, few = 50;
  return bytes >= few * ways ? ways : bytes >= few * page ? page : least;
}

int64_t gmg_memory_share(struct gmg_memory *memory, enum gmg_share share, int64_t bytes)
{
  const int64_t unit = alignment_of(bytes), at = (memory->shared[share] + unit - 1) / unit * unit;
  memory->shared[share] = at + bytes;
  const int64_t more = memory->shared[share] - memory->block_bytes;
  if (more > 0) {
    memory->block_bytes += more;
    memory->planned += more;
  }
  return at;
}

void *gmg_memory_block(struct gmg_memory *memory)
{
  const size_t bytes = (size_t)memory->block_bytes;
  if (memory->block)
    return memory->block;
  memory->block_reserved = memory->reserves;
  memory->block = memory->reserves ? gmg_reserve(bytes) : gmg_allocate(memory, bytes);
  memory->planned -= memory->block ? memory->block_bytes : 0;
  return memory->block;
}

void gmg_memory_clear(struct gmg_memory *memory)
{
  if (!memory->block)
    memory->planned -= memory->block_bytes;
  if (memory->block_reserved)
    gmg_unreserve(memory->block, (size_t)memory->block_bytes);
  else
    gmg_release(memory, memory->block, (size_t)memory->block_bytes);
  memory->block = NULL;
  memory->block_reserved = memory->block_touched = 0;
  memory->block_bytes = 0;
  for (int n = 0; n < GMG_SHARES; n++)
    memory->shared[n] = 0;
  memory->uses = GMG_FIRST;
}

/* Stands before every small block. */
union header {
  size_t bytes;
  max_align_t align;
};

static void *note(union header *header, size_t bytes)
{
  if (!header)
    return NULL;
  prefer_huge_pages(header, bytes + sizeof *header);
  header->bytes = bytes + sizeof *header;
  gmg_memory_count(account, (int64_t)header->bytes);
  return header + 1;
}

void *gmg_malloc(size_t bytes)
{
  return bytes < SIZE_MAX / 2 ? note(malloc(sizeof(union header) + bytes), bytes) : NULL;
}

void *gmg_calloc(size_t number, size_t bytes)
{
  if (bytes && number > SIZE_MAX / 2 / bytes)
    return NULL;
  return note(calloc(1, sizeof(union header) + number * bytes), number * bytes);
}

void *gmg_realloc(void *pointer, size_t bytes)
{
  if (!pointer)
    return gmg_malloc(bytes);
  union header *header = (union header *)pointer - 1;
  const size_t before = header->bytes;
  union header *grown = bytes < SIZE_MAX / 2 ? realloc(header, sizeof *header + bytes) : NULL;
  if (grown)
    gmg_memory_count(account, -(int64_t)before);
  return note(grown, bytes);
}

void gmg_free(void *pointer)
{
  if (!pointer)
    return;
  union header *header = (union header *)pointer - 1;
  gmg_memory_count(account, -(int64_t)header->bytes);
  free(header);
}
