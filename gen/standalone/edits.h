/* The user's file, and what is put in the place of its parts. */
#ifndef GEN_EDITS_H
#define GEN_EDITS_H

#include "directives/translation.h"
#include "ir/writer.h"

enum { GEN_MAX_EDITS = 512 };

struct gen_edit {
  size_t from, to; /* bytes of the file; equal: text is put in between */
  const char *text;
};

struct gen_edits {
  const struct gen_directives *directives;
  const char *text; /* the file's */
  int count;
  struct gen_edit edit[GEN_MAX_EDITS];
};

/* Where a place stands in the text. */
size_t gen_place_at(const char *text, struct gen_location where);
/* Where the line of a place begins. */
size_t gen_line_at(const char *text, int line);
/* Where the statement ends that begins at a place, in the file; its last line feed is not of it. */
size_t gen_statement_end(const struct gen_edits *edits, struct gen_location where);
/* Where kernels stand that a function launches: before it and its comment. */
size_t gen_function_start(const struct gen_edits *edits, struct gen_location where);
/* The blanks that the line of a byte begins with. */
const char *gen_indent_of(const char *text, size_t at);
/* A name that occurs nowhere in the file: this one, or one that begins so. */
const char *gen_free_name(const char *text, const char *name);
/* Whether the file has the word. */
bool gen_has_word(const char *text, const char *word);
/* Whether C, without comments, strings and preprocessor lines, has the word; where it does first.
 */
bool gen_find_word(const char *text, const char *word, struct gen_location *where);

/* Puts lines in the place of bytes; edits may come in any order, but for those at one place. False
 * after a rejection. */
bool gen_replace(struct gen_edits *edits, size_t from, size_t to, const char *text);
/* Puts lines, which end in line feeds, in the place of a directive's lines. */
bool gen_replace_directive(struct gen_edits *edits, const struct gen_directive *directive,
                           const char *text);
/* Puts lines before, or after, a statement, with that indentation. */
bool gen_put_before(struct gen_edits *edits, struct gen_location where, const char *indent,
                    const char *lines);
bool gen_put_after(struct gen_edits *edits, struct gen_location where, const char *indent,
                   const char *lines);
/* Lines with that indentation in front of each. */
const char *gen_indented(const char *indent, const char *lines);
/* Puts a name in the place of every std::swap; *any: there is one. */
bool gen_replace_exchanges(struct gen_edits *edits, const char *name, bool *any);
/* The file with all edits. */
void gen_write_edited(struct gen_edits *edits, struct gen_writer *writer);

#endif
