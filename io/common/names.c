#include "names.h"

#include <stdio.h>
#include <string.h>

#include "problem/options.h"

int names_find(const char *name, const char *const *known, int count)
{
  for (int n = 0; n < count; n++)
    if (strcmp(name, known[n]) == 0)
      return n;
  return -1;
}

void names_list(const char *const *known, int count, char *text, size_t size)
{
  size_t used = 0;
  if (size)
    text[0] = 0;
  for (int n = 0; n < count && used < size; n++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", known[n]);
}

void names_suggest(const char *name, const char *const *known, int count, char *text, size_t size)
{
  int nearest = gmg_nearest_name(name, known, count, sizeof *known);
  text[0] = 0;
  if (nearest >= 0)
    snprintf(text, size, "; the nearest is '%s'", known[nearest]);
}
