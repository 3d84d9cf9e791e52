/* Memory: every byte that a solver holds goes through here and is counted, small things by an
 * account that is in force on the calling thread, fields by the account of their solver. Fields may
 * be planned first: counted, and taken later. */
#ifndef GMG_MEMORY_H
#define GMG_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Whose a field is. In mixed precision cycles may go on in double: fields of the levels in single
 * precision, and those that cycles in double need besides, are never needed at the same time, and
 * share one block. */
enum gmg_share { GMG_APART, GMG_FIRST, GMG_SECOND, GMG_SHARES };

/* What a solver holds on this rank. */
struct gmg_memory {
  int64_t bytes, peak; /* now, and the most since the last setup began */
  int planning;        /* 1: fields are planned, not taken */
  int64_t planned;     /* bytes of the fields that were planned and not taken yet */
  int reserves;        /* 1: fields that are taken are reserved: a device holds their values */
  int64_t predicted;   /* the peak, as setup knew it before it took any field */
  enum gmg_share
    plans; /* what the fields planned now are, on levels that do not say so themselves */
  enum gmg_share uses;                     /* which of the two the block is used for */
  void *block;                             /* NULL: not taken yet, or there is none */
  int block_reserved;                      /* 1: it is; 0: it is allocated */
  int block_touched;                       /* 1: the host has touched some of it */
  int64_t shared[GMG_SHARES], block_bytes; /* of those that share the block; the larger sum */
};

/* At least `bytes`, 64-byte aligned; from 2 MiB on 2 MiB aligned, on huge pages where the system
 * has them. Not touched. NULL when there is none. Memory: gives it; gmg_release takes it
 * back, with the same size. */
void *gmg_allocate(struct gmg_memory *memory, size_t bytes);
void gmg_release(struct gmg_memory *memory, void *pointer, size_t bytes);
/* At least `bytes` of addresses, all zero, whose memory comes page by page when it is touched; of
 * arrays that a device holds, which the host may never need. Not counted: who touches them counts
 * them. NULL where there is none. Memory: gives it; gmg_unreserve takes it back. */
void *gmg_reserve(size_t bytes);
void gmg_unreserve(void *pointer, size_t bytes);
void gmg_memory_count(struct gmg_memory *memory, int64_t bytes);
/* Asks for all pages of a block at once, near the calling thread: less than half of what it costs
 * to fetch small ones as each is written (setup of 64^3 cells: 0.85 of the time); huge ones then
 * take longer. A hint; needs Linux 5.14. */
void gmg_memory_touch(void *pointer, size_t bytes);
/* Whether a block of that size has no huge pages. */
int gmg_memory_in_small_pages(size_t bytes);

/* Plans a place in the block for a field of GMG_FIRST or GMG_SECOND: returns how far from its
 * start. */
int64_t gmg_memory_share(struct gmg_memory *memory, enum gmg_share share, int64_t bytes);
/* The block, taken if it is not yet; NULL out of memory. Memory: the account's, until
 * gmg_memory_clear. */
void *gmg_memory_block(struct gmg_memory *memory);
/* Gives the block back, and forgets the plan of it. */
void gmg_memory_clear(struct gmg_memory *memory);

/* Everything else: as malloc, calloc, realloc and free, counted in the account in force; large
 * blocks, too, on huge pages. Blocks of these and of malloc do not mix. */
void *gmg_malloc(size_t bytes);
void *gmg_calloc(size_t count, size_t bytes);
void *gmg_realloc(void *pointer, size_t bytes);
void gmg_free(void *pointer);
/* Puts an account in force on this thread, or none (NULL), and returns the one that was: public
 * calls put their solver's in force and back. */
struct gmg_memory *gmg_account(struct gmg_memory *memory);

#endif
