/* Memory: every byte that a solver holds goes through here and is counted, small things by an account that is in force on
 * the calling thread, fields by the account of their solver. Fields may be planned first: counted, and taken later. */
#ifndef GMG_MEMORY_H
#define GMG_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* What a solver holds on this rank. */
struct gmg_memory {
  int64_t bytes, peak; /* now, and the most since the last setup began */
  int planning;        /* 1: fields are planned, not taken */
  int64_t planned;     /* bytes of the fields that were planned and not taken yet */
  int64_t predicted;   /* the peak, as setup knew it before it took any field */
};

/* At least `bytes`, 64-byte aligned; from a few MiB on 2 MiB aligned, on huge pages where the system has them. Not
 * touched. NULL when there is none. Memory: gives it; gmg_release takes it back, with the same size. */
void *gmg_allocate(struct gmg_memory *memory, size_t bytes);
void gmg_release(struct gmg_memory *memory, void *pointer, size_t bytes);

/* Everything else: as malloc, calloc, realloc and free, counted in the account in force; large blocks, too, on huge pages. Blocks of
 * these and of malloc do not mix. */
void *gmg_malloc(size_t bytes);
void *gmg_calloc(size_t count, size_t bytes);
void *gmg_realloc(void *pointer, size_t bytes);
void gmg_free(void *pointer);
/* Puts an account in force on this thread, or none (NULL), and returns the one that was: public calls put their solver's in
 * force and back. */
struct gmg_memory *gmg_account(struct gmg_memory *memory);

#endif
