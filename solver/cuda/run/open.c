#include "open.h"

#include "cuda/memory/bounce.h"
#include "cuda/memory/room.h"
#include "cuda/runtime/blas.h"
#include "cuda/runtime/locality.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/signals.h"
#include "queue.h"
#include "tail.h"

#include <stdio.h>
#include <stdlib.h>

static int attribute(struct gmg_device *device, CUdevice_attribute which)
{
  int value = 0;
  GMG_DEVICE_TRY(device, cuDeviceGetAttribute, &value, which, device->id);
  return value;
}

/* Which of several devices. */
static int find_index(struct gmg_device *device)
{
  struct gmg_locality locality = {.devices = device->count};
  for (int d = 0; d < device->count && d < GMG_LOCALITY_DEVICES; d++) {
    CUdevice id;
    if (device->driver->cuDeviceGet(&id, d) != CUDA_SUCCESS
        || device->driver->cuDeviceGetPCIBusId(locality.id[d], GMG_LOCALITY_ID, id) != CUDA_SUCCESS)
      locality.id[d][0] = '\0'; /* nobody knows where it is */
  }
  return gmg_locality_choose(&locality, &device->context->comm, "/sys/bus/pci/devices",
                             &device->near);
}

static void choose(struct gmg_device *device)
{
  if (GMG_DEVICE_TRY(device, cuDeviceGetCount, &device->count))
    return;
  if (device->count == 0) {
    gmg_device_failed(device, CUDA_ERROR_NO_DEVICE, "cuDeviceGetCount", "");
    return;
  }
  device->index = find_index(device);
  if (GMG_DEVICE_TRY(device, cuDeviceGet, &device->id, device->index))
    return;
  GMG_DEVICE_TRY(device, cuDeviceGetName, device->name, (int)sizeof device->name, device->id);
  device->multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  device->capability = 10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    + attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  device->cooperative = attribute(device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
}

/* Before this rank waits: other ranks may wait for what it has collected. */
static void flush(void *queue)
{
  gmg_queue_flush(queue);
}

static void start(struct gmg_device *device)
{
  size_t unused;
  if (GMG_DEVICE_TRY(device, cuDevicePrimaryCtxRetain, &device->cuda, device->id))
    return;
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuMemGetInfo, &unused, &device->memory);
  GMG_DEVICE_TRY(device, cuStreamCreate, &device->stream, CU_STREAM_NON_BLOCKING);
  GMG_DEVICE_TRY(device, cuEventCreate, &device->moment, CU_EVENT_DISABLE_TIMING);
  if (!device->failed)
    GMG_DEVICE_TRY(device, cuMemHostAlloc, (void **)&device->sums, sizeof *device->sums, 0);
  if (!device->failed)
    GMG_DEVICE_TRY(device, cuMemAlloc, &device->d_sums, sizeof *device->sums);
  gmg_device_leave(device);
  device->queue = gmg_queue_create(device);
  if (!device->queue && !device->failed) {
    device->failed = GMG_ERR_DEVICE;
    snprintf(device->message, sizeof device->message,
             "out of memory for what the device is to run");
  }
  device->context->comm.start = flush;
  device->context->comm.starter = device->queue;
}

static void stop(struct gmg_device *device)
{
  device->context->comm.start = NULL;
  gmg_queue_destroy(&device->queue);
  if (device->cuda) {
    gmg_device_enter(device);
    gmg_blas_close(device);
    gmg_tail_unload(device);
    gmg_signals_unload(device);
    gmg_modules_unload(device);
    gmg_bounce_clear(device);
    gmg_rooms_close(device);
    if (device->sums)
      device->driver->cuMemFreeHost(device->sums);
    if (device->d_sums)
      device->driver->cuMemFree(device->d_sums);
    if (device->moment)
      device->driver->cuEventDestroy(device->moment);
    for (int n = 0; n < 2 * GMG_TIMED_WAITS; n++)
      if (device->wait[n / 2][n % 2])
        device->driver->cuEventDestroy(device->wait[n / 2][n % 2]);
    if (device->aside)
      device->driver->cuStreamDestroy(device->aside);
    if (device->stream)
      device->driver->cuStreamDestroy(device->stream);
    gmg_device_leave(device);
    device->driver->cuDevicePrimaryCtxRelease(device->id);
  }
  free(device);
}

static void describe(const struct gmg_device *device, struct gmg_device_info *info)
{
  snprintf(info->name, sizeof info->name, "%s, %.1f GiB, sm_%d", device->name,
           (double)device->memory / 1073741824.0, device->capability);
  info->chosen = device->count == 1 ? "the only one"
    : device->near                  ? "near the cores of its rank"
                                    : "in turn";
}

struct gmg_device *gmg_cuda_open(gmg_context *context, struct gmg_device_info *info)
{
  const size_t size = sizeof info->reason;
  if (context->device) {
    describe(context->device, info);
    return context->device;
  }
  const struct gmg_driver *driver = gmg_driver_open(info->reason, size);
  struct gmg_device *device =
    driver ? calloc(1, sizeof *device) : NULL; /* the context's, not a solver's */
  if (!device)
    return NULL;
  device->context = context;
  device->driver = driver;
  choose(device);
  const int no_compiler =
    !device->failed && gmg_cubin_find(&device->way, device->capability, info->reason, size);
  if (!device->failed && !no_compiler)
    start(device);
  if (device->failed)
    snprintf(info->reason, size, "%s", device->message);
  if (device->failed || no_compiler) {
    stop(device);
    return NULL;
  }
  describe(device, info);
  return device;
}

void gmg_cuda_close(gmg_context *context)
{
  stop(context->device);
}
