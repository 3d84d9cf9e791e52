/* Text of emitted CUDA that stands in gen/templates/; cmake/embed.cmake makes strings of it. */
#ifndef GEN_EMIT_TEMPLATE_H
#define GEN_EMIT_TEMPLATE_H

#include "ir/tree.h"
#include "ir/writer.h"

extern const char gen_template_prelude[], gen_template_queue[], gen_template_between[],
  gen_template_around[], gen_template_staged[], gen_template_largest[], gen_template_twice[],
  gen_template_columns[];

/* A word of a template, in capitals, and what it is replaced by wherever it stands. */
struct gen_word {
  const char *word, *text; /* text NULL: lines with the word are left out */
};

/* Emits lines up to one that starts with a parenthesis in a line comment, "// (", which says what
 * the caller emits there. Returns the lines after it; NULL at the end. words: the last is {0}. */
const char *gen_emit_template(struct gen_writer *writer, const char *template_,
                              const struct gen_word *words);

#endif
