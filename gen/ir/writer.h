/* A growing text with indentation and wrapped lines: where the emitters write. */
#ifndef GEN_WRITER_H
#define GEN_WRITER_H

#include <stdbool.h>
#include <stddef.h>

struct gen_writer {
  char *text;
  size_t length, capacity;
  int indent;  /* steps of two spaces */
  bool deeper; /* the next line by one more */
};

/* Lines of C, separated by line feeds and indented: by a step more between one that ends in { and
 * one that starts with }, and after a for or an if without one. Lines are wrapped at spaces after
 * column 116. */
void gen_line(struct gen_writer *writer, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
/* A line whose braces indent nothing. */
void gen_raw(struct gen_writer *writer, const char *line);
/* Bytes as they are. */
void gen_write_bytes(struct gen_writer *writer, const char *text, size_t length);
void gen_writer_clear(struct gen_writer *writer);
/* Writes the text to a temporary name beside path and renames it; leaves a file alone that already
 * holds the same text, so that nothing is rebuilt for nothing. Returns false with errno set. */
bool gen_save(const struct gen_writer *writer, const char *path);

#endif
