#include "step_launch.h"

#include "system/memory.h"

#include <string.h>

struct gmg_step_launch *gmg_step_launch_find(struct gmg_step_launch *list,
                                             const struct gmg_step_launch *wanted)
{
  const size_t bytes = (size_t)wanted->arrays * sizeof(int);
  for (; list; list = list->next)
    if (list->extent == wanted->extent && list->arrays == wanted->arrays
        && memcmp(list->holder, wanted->holder, bytes) == 0
        && memcmp(list->array, wanted->array, bytes) == 0)
      return list;
  return NULL;
}

struct gmg_step_launch *gmg_step_launch_add(struct gmg_step_launch **list,
                                            const struct gmg_step_launch *wanted)
{
  struct gmg_step_launch *added = gmg_calloc(1, sizeof *added);
  if (!added)
    return NULL;
  *added = *wanted;
  added->next = *list;
  *list = added;
  return added;
}

void gmg_step_launch_free(struct gmg_step_launch *list)
{
  while (list) {
    struct gmg_step_launch *next = list->next;
    gmg_free(list);
    list = next;
  }
}
