/* Formula files as compiled programs: made by gmg-gen and a C compiler, kept in a cache, loaded. */
#ifndef GMG_IO_COMPILED_H
#define GMG_IO_COMPILED_H

#include <limits.h>

#include "common/failure.h"

struct gmg_program_descriptor;

struct compiled {
  void *library;
  const struct gmg_program_descriptor *const *made;
  char compiler[200];        /* its first line on itself */
  char path[PATH_MAX + 120]; /* of the library */
  int cached;                /* 1: it was compiled before */
};

/* Compiles a file, read as gmg-gen's further options say (a list that ends in NULL), for an
 * instruction set, this rank's, unless the cache has what it makes. cache: a folder; NULL: the
 * user's. Memory: gives the library, which must outlive programs made of it. Errors: STATUS_INPUT
 * (with what gmg-gen says of the file; gmg-gen or a compiler is missing; the cache cannot be
 * written), STATUS_MACHINE. Calls: collective. */
int compiled_load(const char *path, const char *const *generator_options, const char *isa,
                  const char *cache, struct compiled *compiled, struct failure *failure);
void compiled_unload(struct compiled *compiled);

#endif
