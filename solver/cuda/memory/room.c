#include "room.h"

#include <stdlib.h>
#include <string.h>

enum {
  UNIT = 64,
  HOST_BYTES = 8 * GMG_ROOM_PIECE,
  LOCKED_BYTES = 4 * GMG_ROOM_PIECE,
  DEVICE_BYTES = 4 * GMG_ROOM_PIECE
};

/* One kind of memory. */
struct room {
  uint64_t at; /* an address of the host or of the device */
  size_t bytes, used;
};
struct gmg_rooms {
  struct room host, locked, device;
  int full; /* 1: a piece was not to be had */
};

int64_t gmg_rooms_wanted(const struct gmg_device *device)
{
  return device->rooms ? 0 : DEVICE_BYTES;
}

int gmg_rooms_open(struct gmg_device *device)
{
  struct gmg_rooms *r = device->rooms ? NULL : calloc(1, sizeof *r);
  void *locked = NULL, *host = r ? aligned_alloc(UNIT, HOST_BYTES) : NULL;
  CUdeviceptr there = 0;
  if (device->rooms)
    return 0;
  gmg_device_enter(device);
  if (host && device->driver->cuMemHostAlloc(&locked, LOCKED_BYTES, 0) != CUDA_SUCCESS)
    locked = NULL;
  if (locked && device->driver->cuMemAlloc(&there, DEVICE_BYTES) != CUDA_SUCCESS)
    there = 0;
  if (!there && locked)
    GMG_DEVICE_TRY(device, cuMemFreeHost, locked);
  gmg_device_leave(device);
  if (!there) {
    free(host);
    free(r);
    return -1;
  }
  r->host = (struct room){(uint64_t)(uintptr_t)host, HOST_BYTES, 0};
  r->locked = (struct room){(uint64_t)(uintptr_t)locked, LOCKED_BYTES, 0};
  r->device = (struct room){there, DEVICE_BYTES, 0};
  device->rooms = r;
  return 0;
}

void gmg_rooms_close(struct gmg_device *device)
{
  struct gmg_rooms *r = device->rooms;
  if (!r)
    return;
  GMG_DEVICE_TRY(device, cuMemFreeHost, (void *)(uintptr_t)r->locked.at);
  GMG_DEVICE_TRY(device, cuMemFree, r->device.at);
  free((void *)(uintptr_t)r->host.at);
  free(r);
  device->rooms = NULL;
}

static uint64_t take(struct gmg_device *device, struct room *room, size_t bytes)
{
  const size_t needed = (bytes + UNIT - 1) / UNIT * UNIT;
  const uint64_t at = room->at + room->used;
  if (needed > room->bytes - room->used) {
    device->rooms->full = 1;
    return 0;
  }
  room->used += needed;
  return at;
}

void *gmg_rooms_host(struct gmg_device *device, size_t bytes)
{
  void *piece = (void *)(uintptr_t)take(device, &device->rooms->host, bytes);
  return piece ? memset(piece, 0, bytes) : NULL;
}

void *gmg_rooms_locked(struct gmg_device *device, size_t bytes)
{
  return (void *)(uintptr_t)take(device, &device->rooms->locked, bytes);
}

CUdeviceptr gmg_rooms_device(struct gmg_device *device, size_t bytes)
{
  return take(device, &device->rooms->device, bytes);
}

int gmg_rooms_full(const struct gmg_device *device)
{
  return device->rooms->full;
}

void gmg_rooms_clear(struct gmg_device *device)
{
  struct gmg_rooms *r = device->rooms;
  r->host.used = r->locked.used = r->device.used = 0;
  r->full = 0;
}
