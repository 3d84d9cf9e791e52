/* Memory for fields and tables: aligned, zeroed by whoever first touches it, and counted. */
#ifndef GMG_MEMORY_H
#define GMG_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* What a solver holds on this rank. */
struct gmg_memory {
  int64_t bytes, peak;
};

/* At least `bytes`, 64-byte aligned; from a few MiB on 2 MiB aligned, on huge pages where the system has them. Not
 * touched. NULL when there is none. Memory: gives it; gmg_release takes it back, with the same size. */
void *gmg_allocate(struct gmg_memory *memory, size_t bytes);
void gmg_release(struct gmg_memory *memory, void *pointer, size_t bytes);

#endif
