/* Options from a file: a line each, "name value" or "name = value", a flag alone; # begins a
 * comment. */
#ifndef GMG_IO_OPTIONS_FILE_H
#define GMG_IO_OPTIONS_FILE_H

#include "failure.h"

struct options_line {
  const char *name, *value; /* NULL: the line has none */
  int number;
};
struct options_file {
  char *text; /* which the lines point into */
  int count;
  struct options_line *line;
};
/* Reads a file on rank 0, for all ranks. Memory: gives the text and the lines. Errors: STATUS_INPUT
 * (it cannot be opened, is no text or too long, names an option twice), STATUS_MACHINE. Calls:
 * collective. */
int options_file_read(const char *path, struct options_file *file, struct failure *failure);
void options_file_clear(struct options_file *file);

#endif
