/* Machine code for a device from CUDA text, by its compiler at run time; what was compiled once is
 * kept in a folder. */
#ifndef GMG_CUDA_CUBIN_H
#define GMG_CUDA_CUBIN_H

#include "driver.h"

/* How texts are compiled. */
struct gmg_cubin_way {
  const struct gmg_compiler *compiler;
  char architecture[32]; /* "sm_90" */
  char folder[400];      /* of the cache; "": there is none */
  int cached;            /* 1: it is used */
  int version[2];        /* of the compiler */
};

/* Looks for the compiler, and for the cache: $XDG_CACHE_HOME/gmg or ~/.cache/gmg. Returns -1 with
 * the reason, one clause, where there is no compiler. */
int gmg_cubin_find(struct gmg_cubin_way *way, int capability, char *reason, size_t size);

/* A text, and what comes of it. */
struct gmg_cubin {
  char *text; /* the caller's */
  void *code; /* NULL where it failed; gmg_cubin_clear frees it */
  size_t bytes;
  int from_cache;
  char *log; /* what the compiler said, or NULL */
};
/* Compiles what is not in the cache, with so many threads. Returns how many failed. */
int gmg_cubin_compile(const struct gmg_cubin_way *way, struct gmg_cubin *cubin, int count,
                      int threads);
void gmg_cubin_clear(struct gmg_cubin *cubin);

#endif
