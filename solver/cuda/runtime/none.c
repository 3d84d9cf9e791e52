/* The CUDA back end of a build without one: the CPU computes. */
#include "runtime/backend.h"

#include "problem/solver.h"

#include <stdio.h>

static const char why_not[] =
  "this build has no CUDA back end (GMG_CUDA was off, or cuda.h and nvrtc.h were not there)";

struct gmg_device *gmg_device_open(gmg_context *context, char *reason, size_t size)
{
  (void)context;
  snprintf(reason, size, "%s", why_not);
  return NULL;
}

void gmg_device_close(gmg_context *context)
{
  (void)context;
}

void gmg_device_describe(const struct gmg_device *device, char *text, size_t size)
{
  (void)device;
  snprintf(text, size, "none");
}

gmg_status gmg_backend_choose(struct gmg_solver *s)
{
  snprintf(s->placement.why, sizeof s->placement.why, "%s", why_not);
  if (s->problem.options.backend == GMG_BACKEND_CUDA)
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "backend: cuda: %s", why_not);
  return GMG_OK;
}

gmg_status gmg_backend_predict(struct gmg_solver *s)
{
  (void)s;
  return GMG_OK;
}

gmg_status gmg_backend_attach(struct gmg_solver *s)
{
  (void)s;
  return GMG_OK;
}

void gmg_backend_raise(struct gmg_solver *s)
{
  (void)s;
}

void gmg_backend_detach(struct gmg_solver *s, int keep)
{
  (void)s;
  (void)keep;
}

int gmg_device_take(struct gmg_call *call)
{
  (void)call;
  return 0;
}

int gmg_device_move(gmg_context *context, const struct gmg_move *move)
{
  (void)context;
  (void)move;
  return 0;
}

void gmg_device_sample(struct gmg_call *call, int every, int first)
{
  (void)call;
  (void)every;
  (void)first;
}

void gmg_device_sums(gmg_context *context, struct gmg_reduction *total)
{
  (void)context;
  (void)total;
}

int gmg_device_holds(gmg_context *context, const void *values)
{
  (void)context;
  (void)values;
  return 0;
}

gmg_status gmg_device_load(struct gmg_solver *s, const gmg_array *array)
{
  (void)array;
  return gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "%s", why_not);
}

gmg_status gmg_device_store(struct gmg_solver *s, const gmg_array *array)
{
  (void)array;
  return gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "%s", why_not);
}

int gmg_device_sources(struct gmg_solver *s)
{
  (void)s;
  return 0;
}

gmg_status gmg_backend_renew_sources(struct gmg_solver *s)
{
  (void)s;
  return GMG_OK;
}

void gmg_backend_forget(struct gmg_solver *s, const struct gmg_exchange *exchange)
{
  (void)s;
  (void)exchange;
}

void gmg_device_wait(gmg_context *context)
{
  (void)context;
}

void gmg_device_forget(struct gmg_call *call)
{
  (void)call;
}

gmg_status gmg_device_status(gmg_context *context)
{
  (void)context;
  return GMG_OK;
}

void gmg_device_fetch(gmg_context *context, struct gmg_level_array *array, enum gmg_access access)
{
  (void)context;
  (void)array;
  (void)access;
}

int gmg_device_clear(gmg_context *context, struct gmg_level_array *array)
{
  (void)context;
  (void)array;
  return 0;
}

const char *gmg_context_device(gmg_context *context, int *found)
{
  if (found)
    *found = 0;
  snprintf(context->message, sizeof context->message, "%s", why_not);
  return context->message;
}

int gmg_backend_coarse_from(const struct gmg_solver *s)
{
  return s->hierarchy.levels;
}

void gmg_backend_coarse(struct gmg_solver *s, int from)
{
  (void)s;
  (void)from;
}

int gmg_backend_computes(const struct gmg_solver *s, int level)
{
  (void)s;
  (void)level;
  return 0;
}

int gmg_backend_in_passes(const struct gmg_solver *s, int level)
{
  (void)s;
  (void)level;
  return 0;
}

int gmg_backend_in_tail(const struct gmg_solver *s, int level)
{
  (void)s;
  (void)level;
  return 0;
}

double *gmg_device_array(struct gmg_solver *s, size_t bytes)
{
  (void)s;
  (void)bytes;
  return NULL;
}

void gmg_device_array_free(gmg_context *context, double *values)
{
  (void)context;
  (void)values;
}

void gmg_device_array_copy(struct gmg_solver *s, const double *from, double *to, size_t bytes)
{
  (void)s;
  (void)from;
  (void)to;
  (void)bytes;
}
