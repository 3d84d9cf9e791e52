#include "bounce.h"

#include "system/team.h"

#include <stdlib.h>
#include <string.h>

/* Large arrays travel in large pieces: 1 GiB takes 23 ms so, in small pieces 39 ms, as 16 threads
 * copy one of them in no time. For small arrays nobody waits for so much page-locked memory, of
 * which a MiB takes 0.8 ms to be had. */
enum {
  PIECE = 1 << 20,
  LARGE_PIECE = 16 << 20,
  LARGE = 8 * LARGE_PIECE,
  PAGE = 4096,
  SMALL = PIECE / 2
};

/* Two buffers in turn; event: when the copy from or to it is done. */
struct gmg_bounce_buffers {
  size_t piece;
  char *buffer[2];
  CUevent event[2];
};

static void make(struct gmg_device *device, size_t piece)
{
  struct gmg_bounce_buffers *bounce = calloc(1, sizeof *bounce);
  if (!bounce)
    return;
  int missing = 0;
  bounce->piece = piece;
  for (int n = 0; n < 2 && !missing; n++)
    missing = device->driver->cuMemHostAlloc((void **)&bounce->buffer[n], piece, 0) != CUDA_SUCCESS
      || device->driver->cuEventCreate(&bounce->event[n], CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS;
  device->bounce = bounce;
  if (missing)
    gmg_bounce_clear(device);
}

/* For an array of so many bytes; NULL: the driver does it alone. */
static struct gmg_bounce_buffers *stage_of(struct gmg_device *device, size_t bytes)
{
  const size_t piece = bytes >= LARGE ? LARGE_PIECE : PIECE;
  if (bytes <= SMALL)
    return NULL;
  if (device->bounce && device->bounce->piece < piece) {
    gmg_device_synchronize(device);
    gmg_bounce_clear(device);
  }
  if (!device->bounce)
    make(device, piece);
  if (!device->bounce && piece > PIECE)
    make(device, PIECE);
  return device->bounce;
}

void gmg_bounce_clear(struct gmg_device *device)
{
  struct gmg_bounce_buffers *bounce = device->bounce;
  for (int n = 0; bounce && n < 2; n++) {
    if (bounce->event[n])
      device->driver->cuEventDestroy(bounce->event[n]);
    if (bounce->buffer[n])
      device->driver->cuMemFreeHost(bounce->buffer[n]);
  }
  free(bounce);
  device->bounce = NULL;
}

struct bytes {
  char *to;
  const char *from;
  size_t count;
};

static void copy_part(void *work, int thread, int of)
{
  const struct bytes *bytes = work;
  int from, to;
  gmg_part((int)((bytes->count + PAGE - 1) / PAGE), thread, of, &from, &to);
  const size_t first = (size_t)from * PAGE, last = (size_t)to * PAGE;
  if (from < to)
    memcpy(bytes->to + first, bytes->from + first,
           (last < bytes->count ? last : bytes->count) - first);
}

static void copy(const struct gmg_device *device, char *to, const char *from, size_t bytes)
{
  gmg_team_share(device->context->team, device->context->threads, copy_part,
                 &(struct bytes){to, from, bytes});
}

static size_t length_of(const struct gmg_bounce_buffers *bounce, size_t at, size_t bytes)
{
  return bytes - at < bounce->piece ? bytes - at : bounce->piece;
}

int gmg_bounce_to_device(struct gmg_device *device, CUdeviceptr to, const void *from, size_t bytes)
{
  struct gmg_bounce_buffers *bounce = stage_of(device, bytes);
  if (!bounce)
    return GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, to, from, bytes, device->stream);
  int failed = 0, n = 0;
  for (size_t at = 0; at < bytes && !failed; at += bounce->piece, n++) {
    const size_t length = length_of(bounce, at, bytes);
    failed = GMG_DEVICE_TRY(device, cuEventSynchronize, bounce->event[n % 2]);
    copy(device, bounce->buffer[n % 2], (const char *)from + at, length);
    failed |= GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, to + at, bounce->buffer[n % 2], length,
                             device->stream)
      || GMG_DEVICE_TRY(device, cuEventRecord, bounce->event[n % 2], device->stream);
  }
  return failed;
}

int gmg_bounce_to_host(struct gmg_device *device, void *to, CUdeviceptr from, size_t bytes)
{
  struct gmg_bounce_buffers *bounce = stage_of(device, bytes);
  int failed = 0, n = 0;
  if (!bounce)
    failed = GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, to, from, bytes, device->stream);
  for (size_t at = 0; bounce && at < bytes + bounce->piece && !failed; at += bounce->piece, n++) {
    if (at < bytes) /* this piece sets out, */
      failed = GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, bounce->buffer[n % 2], from + at,
                              length_of(bounce, at, bytes), device->stream)
        || GMG_DEVICE_TRY(device, cuEventRecord, bounce->event[n % 2], device->stream);
    if (at >= bounce->piece && !failed) { /* the one before has arrived */
      failed = GMG_DEVICE_TRY(device, cuEventSynchronize, bounce->event[(n + 1) % 2]);
      copy(device, (char *)to + at - bounce->piece, bounce->buffer[(n + 1) % 2],
           length_of(bounce, at - bounce->piece, bytes));
    }
  }
  gmg_device_synchronize(device);
  return failed;
}
