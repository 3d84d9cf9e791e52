/* The user's file with its marked regions in CUDA, or in OpenMP, which builds without this library
 * (docs/directives.md). */
#ifndef GEN_STANDALONE_H
#define GEN_STANDALONE_H

#include "ir/writer.h"

struct gen_translation;

struct gen_standalone {
  struct gen_translation *translation; /* of a file that was proved */
  const char *path, *output;
  bool cuda; /* or OpenMP */
  int level; /* of CUDA, 0 to 4: what is kept on the chip */
  /* Of a file whose loops this project's library runs: the back ends of ranks in turn, and the
   * program's text; NULL: of one that stands alone. */
  const char *backends, *program;
};

/* False after a rejection, with line and column. */
bool gen_write_standalone(const struct gen_standalone *standalone, struct gen_writer *writer);

#endif
