#include "wisdom_place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/parallel.h"
#include "output.h"
#include "tuning/wisdom_disk.h"
#include "tuning/wisdom_file.h"

/* Reads and saves anew what the file has; with no file, one that names no choice. */
static void save_as_it_is(const char *path, struct failure *why)
{
  gmg_context *context = NULL;
  const gmg_status made = parallel_context(0, &context);
  parallel_refused(context, made ? made : gmg_context_load_wisdom(context, NULL), why);
  if (!why->status)
    parallel_refused(context, gmg_context_save_wisdom(context, path), why);
  gmg_context_destroy(&context);
}

static int exists(const char *path)
{
  return (int)parallel_max(access(path, F_OK) == 0);
}

/* Finds out, before anything is measured, whether the file can be written. Where it is the user's
 * own and cannot, that is said and nothing is saved; `reason` then says why. */
static int try_file(const char *path, char reason[GMG_WISDOM_SENTENCE])
{
  struct output output;
  struct failure why = {.status = 0};
  int status = GMG_WISDOM_OK;
  reason[0] = 0;
  if (parallel_rank() == 0)
    status = (int)gmg_wisdom_make_folders(path, reason);
  status = (int)parallel_max(status);
  parallel_broadcast(reason, GMG_WISDOM_SENTENCE);
  if (status != GMG_WISDOM_OK)
    return -1;
  if (!output_prepare(path, 0, &output, &why) && exists(path))
    save_as_it_is(path, &why);
  snprintf(reason, GMG_WISDOM_SENTENCE, "%.300s", why.text);
  return why.status ? -1 : 0;
}

int wisdom_place_prepare(const char *named, struct wisdom_place *place, struct failure *failure)
{
  char reason[GMG_WISDOM_SENTENCE] = "neither XDG_CACHE_HOME nor HOME names a folder";
  memset(place, 0, sizeof *place);
  if (named)
    snprintf(place->path, sizeof place->path, "%s", named);
  else
    gmg_wisdom_user_path(place->path, sizeof place->path);
  parallel_broadcast(place->path, sizeof place->path);
  place->saves = place->path[0] && !try_file(place->path, reason);
  if (place->saves)
    return 0;
  if (named)
    return failure_set(failure, STATUS_INPUT, "wisdom cannot be saved: %s", reason);
  if (parallel_rank() == 0)
    fprintf(stderr, "gmg: nothing will be saved: %s; --wisdom FILE names another place\n", reason);
  return 0;
}

int wisdom_place_finish(const struct wisdom_place *place, struct failure *failure)
{
  if (place->saves && !exists(place->path))
    save_as_it_is(place->path, failure);
  return failure->status;
}
