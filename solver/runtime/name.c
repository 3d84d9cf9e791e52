#include "name.h"

#include "system/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_of(const char *text)
{
  uint32_t hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

int gmg_name(struct gmg_names *names, const char *text)
{
  enum { SLOTS = 2 * GMG_MOST_NAMES };
  uint32_t at = hash_of(text) % SLOTS;
  for (; names->slot[at]; at = (at + 1) % SLOTS)
    if (gmg_same_text(names->text[names->slot[at] - 1], text))
      return names->slot[at] - 1;
  if (names->count == GMG_MOST_NAMES || strlen(text) >= GMG_NAME_ROOM)
    return -1;
  snprintf(names->text[names->count], GMG_NAME_ROOM, "%s", text);
  names->slot[at] = (short)(names->count + 1);
  return names->count++;
}

void gmg_names_begin(struct gmg_names *names)
{
  static const char *const fixed[] = {
#define FIXED_TEXT(constant, text) text,
    GMG_FIELD_NAMES(FIXED_TEXT)
#undef FIXED_TEXT
  };
  *names = (struct gmg_names){0};
  for (int n = 0; n < GMG_FIXED_NAMES; n++)
    gmg_name(names, fixed[n]);
}

enum gmg_scalar gmg_scalar_named(const char *text)
{
  static const char *const names[GMG_SCALARS] = {
#define SCALAR_TEXT(constant, text) text,
    GMG_SCALAR_NAMES(SCALAR_TEXT)
#undef SCALAR_TEXT
  };
  int n = 0;
  while (n < GMG_SCALARS && !gmg_same_text(names[n], text))
    n++;
  return (enum gmg_scalar)n;
}
