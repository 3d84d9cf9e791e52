/* Statements of a nest's innermost loop as those of a kernel: the user's own operations in their
 * order, elements as the kernel reaches them. */
#ifndef GEN_STANDALONE_VALUES_H
#define GEN_STANDALONE_VALUES_H

#include "nest.h"

struct gen_words_of_nest {
  struct gen_nest_kernel *kernel;
  /* How an element is written; NULL after a rejection. */
  const char *(*element)(const struct gen_words_of_nest *words, const struct gen_syntax *syntax);
  const void *data;
};

/* Writes the statements, those left out that set integers: subscripts have them no more. False
 * after a rejection. */
bool gen_write_statements(const struct gen_words_of_nest *words, struct gen_writer *writer);

#endif
