/* A growing text with indentation and wrapped lines: where the emitters write. */
#ifndef GEN_WRITER_H
#define GEN_WRITER_H

#include <stdbool.h>
#include <stddef.h>

struct gen_writer {
  char *text;
  size_t length, capacity;
  int indent; /* steps of two spaces */
};

/* One line (or several, wrapped at spaces after column 116), indented. */
void gen_line(struct gen_writer *writer, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
/* A line, then one step deeper; and back. */
void gen_open(struct gen_writer *writer, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
void gen_close(struct gen_writer *writer, const char *line);
void gen_blank(struct gen_writer *writer);
/* The end of a function: a closing brace and an empty line. */
void gen_end(struct gen_writer *writer);
void gen_writer_clear(struct gen_writer *writer);
/* Writes the text to a temporary name beside path and renames it; leaves a file alone that already
 * holds the same text, so that nothing is rebuilt for nothing. Returns false with errno set. */
bool gen_save(const struct gen_writer *writer, const char *path);

#endif
