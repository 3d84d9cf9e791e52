#include "tuned_program.h"

#include <stdio.h>
#include <string.h>

static const char hexadecimal[] = "0123456789abcdef", composed_mark[] = " composed";

/* What may be chosen. */
static const struct {
  const char *name;
  int least, most;
} choices[] = {{"box", 4, 1 << 16},
               {"steps-per-exchange", 2, 16},
               {"steps-per-pass", 1, 16},
               {"compose", 2, 16}};
enum { CHOICES = sizeof choices / sizeof *choices };

void gmg_tuned_program_subject(const char *hash, int ranks, int composed,
                               char subject[GMG_WISDOM_SUBJECT])
{
  snprintf(subject, GMG_WISDOM_SUBJECT, "program %.48s ranks %d%s", hash, ranks,
           composed ? composed_mark : "");
}

const char *gmg_tuned_program_source(const char *subject, char text[GMG_WISDOM_SOURCE])
{
  char again[GMG_WISDOM_SUBJECT];
  int ranks = 0, composed = 0;
  if (sscanf(subject, "program %71s ranks %9d", text, &ranks) != 2 || ranks < 1
      || text[strspn(text, hexadecimal)])
    return NULL;
  const size_t length = strlen(subject), mark = sizeof composed_mark - 1;
  composed = length > mark && strcmp(subject + length - mark, composed_mark) == 0;
  gmg_tuned_program_subject(text, ranks, composed, again);
  return strcmp(again, subject) == 0 ? text : NULL;
}

int gmg_tuned_program_allows(const char *subject, const struct gmg_wisdom_choice *choice)
{
  const int composed = strstr(subject, composed_mark) != NULL;
  for (int n = 0; n < CHOICES; n++)
    if (strcmp(choice->name, choices[n].name) == 0)
      return !choice->word[0] && choice->number >= choices[n].least
        && choice->number <= choices[n].most && (composed || strcmp(choice->name, "compose") != 0);
  return 0;
}
