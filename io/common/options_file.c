#include "options_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

enum { LONGEST_FILE = 1 << 20 };
static const char *const blanks = " \t\r\v\f";

/* The whole file as one text, on this rank. */
static int load(const char *path, struct options_file *file, size_t *length,
                struct failure *failure)
{
  FILE *stream = fopen(path, "rb");
  file->text = malloc(LONGEST_FILE + 1);
  *length = 0;
  if (!file->text)
    failure_memory(failure, LONGEST_FILE + 1., "an options file");
  else if (!stream)
    failure_set(failure, STATUS_INPUT, "%s cannot be opened: %s", path, strerror(errno));
  else {
    errno = 0;
    *length = fread(file->text, 1, LONGEST_FILE + 1, stream);
    if (ferror(stream))
      failure_set(failure, STATUS_INPUT, "%s cannot be read: %s", path, strerror(errno));
    else if (*length > LONGEST_FILE || memchr(file->text, 0, *length))
      failure_set(failure, STATUS_INPUT, "%s is not a text of options, \"name value\" on each line",
                  path);
    else
      file->text[(*length)++] = 0;
  }
  if (stream)
    fclose(stream);
  return failure->status;
}

/* Ends the text at its last character that is not blank, or at a comment. */
static void trim(char *text)
{
  for (char *at = text; (at = strchr(at, '#')); at++)
    if (at == text || strchr(blanks, at[-1])) {
      *at = 0;
      break;
    }
  for (size_t n = strlen(text); n && strchr(blanks, text[n - 1]); n--)
    text[n - 1] = 0;
}

/* Cuts a line into name and value, in place; an empty line has no name. */
static struct options_line cut(char *text, int number)
{
  trim(text);
  text += strspn(text, blanks);
  struct options_line line = {*text ? text : NULL, NULL, number};
  const size_t name = strcspn(text, " \t\r\v\f=");
  char *value = text + name + strspn(text + name, blanks);
  if (*value == '=')
    value += 1 + strspn(value + 1, blanks);
  else if (!*value)
    return line;
  text[name] = 0;
  line.value = value;
  return line;
}

static int cut_lines(const char *path, struct options_file *file, struct failure *failure)
{
  int lines = 1;
  for (const char *at = file->text; *at; at++)
    lines += *at == '\n';
  file->line = malloc((size_t)lines * sizeof *file->line);
  if (!file->line)
    return failure_memory(failure, lines * (double)sizeof *file->line, "an options file");
  char *next = file->text;
  for (int number = 1; number <= lines; number++) {
    char *text = next;
    next = text + strcspn(text, "\n");
    if (*next)
      *next++ = 0;
    const struct options_line line = cut(text, number);
    if (!line.name)
      continue;
    for (int n = 0; n < file->count; n++)
      if (strcmp(file->line[n].name, line.name) == 0)
        return failure_set(failure, STATUS_INPUT, "%s:%d: '%s' is on line %d already", path, number,
                           line.name, file->line[n].number);
    file->line[file->count++] = line;
  }
  return 0;
}

int options_file_read(const char *path, struct options_file *file, struct failure *failure)
{
  size_t length = 0;
  *file = (struct options_file){0};
  if (parallel_rank() == 0)
    load(path, file, &length, failure);
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(&length, sizeof length);
  if (parallel_rank() && !(file->text = malloc(length)))
    failure_memory(failure, (double)length, "an options file");
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(file->text, length);
  cut_lines(path, file, failure);
  return parallel_agree(failure);
}

void options_file_clear(struct options_file *file)
{
  free(file->text);
  free(file->line);
  *file = (struct options_file){0};
}
