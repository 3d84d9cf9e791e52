#include "rank_list.h"

#include "common/parallel.h"

#include <stdio.h>
#include <string.h>

int rank_list_count(const char *list)
{
  int count = 1;
  for (; *list; list++)
    count += *list == ',';
  return count;
}

const char *rank_list_item(const char *list, int n, char word[RANK_LIST_WORD])
{
  for (; n > 0; n--)
    list += strcspn(list, ",") + 1;
  snprintf(word, RANK_LIST_WORD, "%.*s", (int)strcspn(list, ","), list);
  return word;
}

int rank_list_own(const char *list)
{
  return parallel_rank() % rank_list_count(list);
}

int rank_list_check(const char *option, const char *list, struct failure *failure)
{
  const int count = rank_list_count(list), ranks = parallel_ranks();
  return count <= ranks
    ? 0
    : failure_set(failure, STATUS_INPUT, "--%s: found '%s' for %d rank%s, expected at most so many",
                  option, list, ranks, ranks > 1 ? "s" : "");
}
