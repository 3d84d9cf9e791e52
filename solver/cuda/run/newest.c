#include "newest.h"

#include "cuda/memory/bounce.h"
#include "cuda/memory/mirror.h"
#include "queue.h"
#include "runtime/pass.h"

void gmg_newest_on_device(struct gmg_device *device, struct gmg_level_array *array, int written)
{
  if (array->mirror.newer == GMG_NEWER_HOST) {
    gmg_pass_flush(device->context->pass); /* what the host still has to write there */
    gmg_queue_flush(device->queue);        /* and what the device still reads there */
    gmg_device_enter(device);
    gmg_bounce_to_device(device, array->mirror.at, array->allocation, array->bytes);
    gmg_device_leave(device);
    array->mirror.newer = GMG_NEWER_NEITHER;
  }
  if (written) {
    array->mirror.newer = GMG_NEWER_DEVICE;
    array->deep = 0;
  }
}

void gmg_cuda_fetch(gmg_context *context, struct gmg_level_array *array, enum gmg_access access)
{
  struct gmg_device *device = context->device;
  if (!array->mirror.at)
    return;
  gmg_level_touch(array);
  if (array->mirror.newer == GMG_NEWER_DEVICE && access != GMG_REPLACE) {
    gmg_pass_flush(context->pass);
    gmg_queue_flush(device->queue);
    gmg_device_enter(device);
    gmg_bounce_to_host(device, array->allocation, array->mirror.at, array->bytes);
    gmg_device_leave(device);
    array->mirror.newer = GMG_NEWER_NEITHER;
  }
  if (access != GMG_READ) {
    array->mirror.newer = GMG_NEWER_HOST;
    array->deep = 0;
  }
}

int gmg_cuda_clear(gmg_context *context, struct gmg_level_array *array)
{
  struct gmg_device *device = context->device;
  gmg_queue_flush(device->queue);
  array->deep = 0;
  gmg_mirror_clear(device, array->mirror.at, (int64_t)array->bytes);
  if (array->mirror.newer == GMG_NEWER_DEVICE)
    return 1;
  array->mirror.newer = GMG_NEWER_NEITHER; /* the caller clears the host's */
  return 0;
}
