#include "choice.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  size_t at;
  int least, most;
} known[] = {
#define KNOWN(name, least, most) {#name, offsetof(struct gmg_choice, name), least, most},
  GMG_CHOICES(KNOWN)
#undef KNOWN
};

const char *gmg_choice_name(int n)
{
  return known[n].name;
}

int *gmg_choice_member(struct gmg_choice *choice, int n)
{
  return (int *)((char *)choice + known[n].at);
}

int gmg_choice_find(const char *name)
{
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    if (strcmp(known[n].name, name) == 0)
      return n;
  return -1;
}

int gmg_choice_allows(int n, int value)
{
  return value >= known[n].least && value <= known[n].most;
}

const char *gmg_choice_write(const struct gmg_choice *choice, char text[GMG_CHOICE_TEXT])
{
  struct gmg_choice copy = *choice;
  size_t used = 0;
  text[0] = 0;
  for (int n = 0; n < GMG_CHOICE_COUNT && used < GMG_CHOICE_TEXT; n++) {
    const int value = *gmg_choice_member(&copy, n);
    if (value)
      used += (size_t)snprintf(text + used, GMG_CHOICE_TEXT - used, "%s%s=%d", used ? " " : "",
                               known[n].name, value);
  }
  return used ? text : NULL;
}
