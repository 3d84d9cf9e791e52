#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "system/bytes.h"

int failure_set(struct failure *failure, int status, const char *format, ...)
{
  if (failure->status)
    return failure->status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->text, sizeof failure->text, format, arguments);
  va_end(arguments);
  for (char *c = failure->text; *c;
       c++) /* names from files may hold anything; the message is one line */
    if ((unsigned char)*c < ' ' || *c == 127)
      *c = '?';
  return failure->status = status;
}

void failure_place(struct failure *failure, const char *file, int line)
{
  char text[sizeof failure->text];
  memcpy(text, failure->text, sizeof text);
  const int used = snprintf(failure->text, sizeof failure->text, "%s:%d: ", file, line);
  if (used < (int)sizeof failure->text)
    snprintf(failure->text + used, sizeof failure->text - (size_t)used, "%s", text);
}

int failure_memory(struct failure *failure, double bytes, const char *what)
{
  char size[40];
  gmg_bytes_text(bytes, size, sizeof size);
  return failure_set(failure, STATUS_MACHINE, "out of memory: %s more are needed for %s", size,
                     what);
}
