#include "writer.h"

#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 116 };

void gen_write_bytes(struct gen_writer *writer, const char *text, size_t length)
{
  if (writer->length + length + 1 > writer->capacity) {
    writer->capacity = 2 * (writer->length + length + 1);
    writer->text = realloc(writer->text, writer->capacity);
    if (!writer->text) {
      fputs("gmg-gen: out of memory\n", stderr);
      exit(3);
    }
  }
  memcpy(writer->text + writer->length, text, length);
  writer->length += length;
  writer->text[writer->length] = 0;
}

/* Longest prefix of text that fits in width and ends before a space that is not inside a string;
 * failing that the shortest such prefix; all of it if it fits or cannot be broken. */
static size_t wrap_at(const char *text, size_t width)
{
  const size_t length = strlen(text);
  if (length <= width || text[0] == '#')
    return length;
  size_t best = 0;
  bool quoted = false;
  for (size_t at = 0; at < length; at++) {
    if (text[at] == '"')
      quoted = !quoted;
    if (text[at] != ' ' || quoted || at == 0)
      continue;
    if (at > width)
      return best ? best : at;
    best = at;
  }
  return best ? best : length;
}

/* One line, wrapped. */
static void put(struct gen_writer *writer, const char *line, int indent)
{
  if (!*line || *line == '#')
    indent = 0;
  const int more = indent + 2;
  while (true) {
    for (int n = 0; n < indent; n++)
      gen_write_bytes(writer, "  ", 2);
    const size_t part = wrap_at(line, (size_t)(WIDTH - 2 * indent));
    gen_write_bytes(writer, line, part);
    gen_write_bytes(writer, "\n", 1);
    if (!line[part])
      break;
    line += part + 1;
    indent = more;
  }
}

void gen_raw(struct gen_writer *writer, const char *line)
{
  put(writer, line, writer->indent);
}

static bool heads_one_line(const char *line, char last)
{
  return last == ')' && (strncmp(line, "for (", 5) == 0 || strncmp(line, "if (", 4) == 0);
}

void gen_line(struct gen_writer *writer, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const char *text = gen_text_of(format, list);
  va_end(list);
  do {
    const size_t length = strcspn(text, "\n");
    const char *line = gen_text("%.*s", (int)length, text);
    const char last = length ? line[length - 1] : 0;
    writer->indent -= *line == '}';
    put(writer, line, writer->indent + writer->deeper);
    writer->indent += last == '{';
    writer->deeper = heads_one_line(line, last);
    text += length + (text[length] == '\n');
  } while (*text);
}

void gen_writer_clear(struct gen_writer *writer)
{
  free(writer->text);
  *writer = (struct gen_writer){0};
}

static bool holds(const char *path, const char *text, size_t length)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  char *old = malloc(length + 1);
  const bool same =
    old && fread(old, 1, length + 1, file) == length && memcmp(old, text, length) == 0;
  free(old);
  fclose(file);
  return same;
}

bool gen_save(const struct gen_writer *writer, const char *path)
{
  if (holds(path, writer->text, writer->length))
    return true;
  const char *temporary = gen_text("%s.%ld.tmp", path, (long)getpid());
  FILE *file = fopen(temporary, "wb");
  bool good = file && fwrite(writer->text, 1, writer->length, file) == writer->length;
  if (file)
    good = fclose(file) == 0 && good;
  good = good && rename(temporary, path) == 0;
  if (!good)
    remove(temporary);
  return good;
}
