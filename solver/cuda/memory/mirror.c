#include "mirror.h"

#include "gather.h"

#include <stdlib.h>

enum { ALIGNMENT = 256 };

struct gmg_chunk {
  CUdeviceptr at;
  int64_t bytes, used;
  struct gmg_chunk *before;
};

int64_t gmg_mirror_aligned(int64_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int64_t gmg_mirror_bytes(const struct gmg_level_array *array)
{
  return gmg_mirror_aligned((int64_t)array->bytes);
}

void gmg_mirror_room(struct gmg_device *device, int64_t *available, int64_t *total)
{
  size_t free_bytes = 0, all = 0;
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuMemGetInfo, &free_bytes, &all);
  gmg_device_leave(device);
  *available = (int64_t)free_bytes;
  *total = (int64_t)all;
}

struct gmg_chunk *gmg_mirror_take(struct gmg_device *device, int64_t bytes)
{
  struct gmg_chunk *chunk = calloc(1, sizeof *chunk);
  if (!chunk)
    return NULL;
  chunk->bytes = bytes > 0 ? gmg_mirror_aligned(bytes) : ALIGNMENT;
  gmg_device_enter(device);
  const CUresult result = device->driver->cuMemAlloc(&chunk->at, (size_t)chunk->bytes);
  if (result != CUDA_ERROR_OUT_OF_MEMORY)
    gmg_device_failed(device, result, "cuMemAlloc", "the levels");
  gmg_device_leave(device);
  if (result == CUDA_SUCCESS)
    return chunk;
  free(chunk);
  return NULL;
}

void gmg_mirror_chain(struct gmg_chunk *chunk, struct gmg_chunk *before)
{
  chunk->before = before;
}

void gmg_mirror_release(struct gmg_device *device, struct gmg_chunk **chunk)
{
  gmg_device_enter(device);
  while (*chunk) {
    struct gmg_chunk *before = (*chunk)->before;
    GMG_DEVICE_TRY(device, cuMemFree, (*chunk)->at);
    free(*chunk);
    *chunk = before;
  }
  gmg_device_leave(device);
}

CUdeviceptr gmg_mirror_piece(struct gmg_chunk *chunk, int64_t bytes)
{
  const CUdeviceptr at = chunk->at + (CUdeviceptr)chunk->used;
  if (chunk->used + gmg_mirror_aligned(bytes) > chunk->bytes)
    return 0;
  chunk->used += gmg_mirror_aligned(bytes);
  return at;
}

void gmg_mirror_clear(struct gmg_device *device, CUdeviceptr at, int64_t bytes)
{
  if (!at || bytes == 0)
    return;
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuMemsetD8Async, at, 0, (size_t)bytes, device->stream);
  gmg_device_leave(device);
}

void gmg_mirror_place(struct gmg_gather *gather, CUdeviceptr at, struct gmg_level_array *array,
                      int zero)
{
  array->mirror.at = at;
  array->mirror.newer = GMG_NEWER_HOST;
  if (!at || array->bytes == 0)
    return;
  if (zero)
    gmg_mirror_clear(gather->device, at, (int64_t)array->bytes);
  else
    gmg_gather_add(gather, at, array->allocation, array->bytes, ALIGNMENT);
  array->mirror.newer = zero ? GMG_NEWER_DEVICE : GMG_NEWER_NEITHER;
}

/* An address of the device. */
static void *at_box(const struct gmg_level_array *array, int b, CUdeviceptr start)
{
  const ptrdiff_t offset = (const char *)array->box[b] - (const char *)array->allocation;
  return (void *)(uintptr_t)(start + (CUdeviceptr)offset);
}

void *gmg_mirror_box(const struct gmg_level_array *array, int b)
{
  return at_box(array, b, array->mirror.at);
}

void *gmg_mirror_spare(const struct gmg_level_array *array, int b)
{
  return array->mirror.spare ? at_box(array, b, array->mirror.spare) : NULL;
}
