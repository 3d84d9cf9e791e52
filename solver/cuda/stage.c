#include "stage.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 2 << 20, GRAIN = PIECE / 16, SMALL = PIECE / 2 };

/* Two buffers in turn; event: when the copy from or to it is done. */
struct gmg_stage {
  char *buffer[2];
  CUevent event[2];
};

static struct gmg_stage *stage_of(struct gmg_device *device)
{
  if (device->stage)
    return device->stage;
  struct gmg_stage *stage = calloc(1, sizeof *stage);
  if (!stage)
    return NULL;
  int missing = 0;
  for (int n = 0; n < 2 && !missing; n++)
    missing = device->driver->cuMemHostAlloc((void **)&stage->buffer[n], PIECE, 0) != CUDA_SUCCESS
      || device->driver->cuEventCreate(&stage->event[n], CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS;
  device->stage = stage;
  if (missing) /* then the driver does it alone */
    gmg_stage_clear(device);
  return device->stage;
}

void gmg_stage_clear(struct gmg_device *device)
{
  struct gmg_stage *stage = device->stage;
  for (int n = 0; stage && n < 2; n++) {
    if (stage->event[n])
      device->driver->cuEventDestroy(stage->event[n]);
    if (stage->buffer[n])
      device->driver->cuMemFreeHost(stage->buffer[n]);
  }
  free(stage);
  device->stage = NULL;
}

static void copy(const struct gmg_device *device, char *to, const char *from, size_t bytes)
{
  const int grains = (int)((bytes + GRAIN - 1) / GRAIN), threads = device->context->threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (int g = 0; g < grains; g++) {
    const size_t first = (size_t)g * GRAIN, left = bytes - first;
    memcpy(to + first, from + first, left < GRAIN ? left : GRAIN);
  }
}

static size_t length_of(size_t at, size_t bytes)
{
  return bytes - at < PIECE ? bytes - at : PIECE;
}

int gmg_stage_up(struct gmg_device *device, CUdeviceptr to, const void *from, size_t bytes)
{
  struct gmg_stage *stage = bytes > SMALL ? stage_of(device) : NULL;
  if (!stage)
    return GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, to, from, bytes, device->stream);
  int failed = 0, n = 0;
  for (size_t at = 0; at < bytes && !failed; at += PIECE, n++) {
    const size_t length = length_of(at, bytes);
    failed = GMG_DEVICE_TRY(device, cuEventSynchronize, stage->event[n % 2]);
    copy(device, stage->buffer[n % 2], (const char *)from + at, length);
    failed |= GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, to + at, stage->buffer[n % 2], length, device->stream)
      || GMG_DEVICE_TRY(device, cuEventRecord, stage->event[n % 2], device->stream);
  }
  return failed;
}

int gmg_stage_down(struct gmg_device *device, void *to, CUdeviceptr from, size_t bytes)
{
  struct gmg_stage *stage = bytes > SMALL ? stage_of(device) : NULL;
  int failed = 0, n = 0;
  if (!stage)
    failed = GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, to, from, bytes, device->stream);
  for (size_t at = 0; stage && at < bytes + PIECE && !failed; at += PIECE, n++) {
    if (at < bytes) /* this piece sets out, */
      failed =
        GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, stage->buffer[n % 2], from + at, length_of(at, bytes), device->stream)
        || GMG_DEVICE_TRY(device, cuEventRecord, stage->event[n % 2], device->stream);
    if (at >= PIECE && !failed) { /* the one before has arrived */
      failed = GMG_DEVICE_TRY(device, cuEventSynchronize, stage->event[(n + 1) % 2]);
      copy(device, (char *)to + at - PIECE, stage->buffer[(n + 1) % 2], length_of(at - PIECE, bytes));
    }
  }
  gmg_device_synchronize(device);
  return failed;
}
