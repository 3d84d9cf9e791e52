#include "device.h"

#include "signals.h"

#include <stdio.h>

int gmg_device_failed(struct gmg_device *device, CUresult result, const char *call,
                      const char *about)
{
  if (result == CUDA_SUCCESS)
    return 0;
  if (device->failed)
    return 1;
  const char *name = NULL, *text = NULL;
  device->driver->cuGetErrorName(result, &name);
  device->driver->cuGetErrorString(result, &text);
  device->failed = GMG_ERR_DEVICE;
  snprintf(device->message, sizeof device->message, "device %d (%s): %s%s%s failed: %s (%s)",
           device->index, device->name, call, *about ? " of " : "", about, name ? name : "unknown",
           text ? text : "");
  return 1;
}

gmg_status gmg_cuda_status(gmg_context *context)
{
  struct gmg_device *device = context->device;
  if (!device->failed)
    return GMG_OK;
  const gmg_status status = device->failed;
  device->failed = GMG_OK;
  return gmg_fail(context, status, "%s", device->message);
}

void gmg_device_enter(struct gmg_device *device)
{
  GMG_DEVICE_TRY(device, cuCtxPushCurrent, device->cuda);
}

void gmg_device_leave(struct gmg_device *device)
{
  CUcontext before;
  GMG_DEVICE_TRY(device, cuCtxPopCurrent, &before);
}

void gmg_device_synchronize(struct gmg_device *device)
{
  if (device->signals)
    gmg_signals_synchronize(device);
  else
    GMG_DEVICE_TRY(device, cuStreamSynchronize, device->stream);
}
