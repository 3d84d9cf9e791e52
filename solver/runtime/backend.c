#include "backend.h"

#include "config.h"

#include <stdio.h>

#define DECLARE(table) extern const struct gmg_backend table;
#define ADDRESS(table) &table,
GMG_BACKENDS(DECLARE)
static const struct gmg_backend *const backends[] = {GMG_BACKENDS(ADDRESS) NULL};

int gmg_backend_open(gmg_context *context, struct gmg_device_info *info)
{
  snprintf(info->reason, sizeof info->reason,
           "this build has no CUDA back end (GMG_CUDA was off, or cuda.h and nvrtc.h were not "
           "there)");
  for (int n = 0; backends[n]; n++)
    if ((!context->backend || context->backend == backends[n])
        && (context->device = backends[n]->open(context, info))) {
      context->backend = backends[n];
      return 1;
    }
  return 0;
}

void gmg_backend_close(gmg_context *context)
{
  if (context->backend)
    context->backend->close(context);
  context->backend = NULL;
  context->device = NULL;
}

int gmg_backend_used(void)
{
  int used = 0;
  for (int n = 0; backends[n] && !used; n++)
    used = backends[n]->used();
  return used;
}

const char *gmg_context_device(gmg_context *context, int *found)
{
  struct gmg_device_info info;
  const int open = gmg_backend_open(context, &info);
  if (found)
    *found = open;
  snprintf(context->message, sizeof context->message, "%s", open ? info.name : info.reason);
  return context->message;
}
