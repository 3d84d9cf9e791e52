#include "gather.h"

#include "bounce.h"

#include <string.h>

void gmg_gather_flush(struct gmg_gather *gather)
{
  if (gather->bytes == 0)
    return;
  gmg_device_enter(gather->device);
  gmg_bounce_to_device(gather->device, gather->at, gather->buffer, gather->bytes);
  gmg_device_leave(gather->device);
  gather->bytes = 0;
}

void gmg_gather_add(struct gmg_gather *gather, CUdeviceptr to, const void *from, size_t bytes,
                    size_t gap)
{
  const CUdeviceptr end = gather->at + gather->bytes;
  const int follows = gather->bytes > 0 && to >= end && to - end < gap
    && to - gather->at + bytes <= sizeof gather->buffer;
  if (!follows)
    gmg_gather_flush(gather);
  if (bytes > sizeof gather->buffer) {
    gmg_device_enter(gather->device);
    gmg_bounce_to_device(gather->device, to, from, bytes);
    gmg_device_leave(gather->device);
    return;
  }
  if (!follows)
    gather->at = to;
  else
    memset(gather->buffer + gather->bytes, 0, (size_t)(to - end));
  memcpy(gather->buffer + (to - gather->at), from, bytes);
  gather->bytes = (size_t)(to - gather->at) + bytes;
}
