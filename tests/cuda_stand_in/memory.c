/* The stand-in driver: memory. That of the device is in files without names, so that other
 * processes can have it too. GMG_STAND_IN_MEMORY: bytes that the device has (default 1 GiB). */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stand_in.h"

enum { MOST_BLOCKS = 4096 };

static struct block {
  void *at;
  size_t bytes;
  int locked; /* host memory */
  int file;   /* of the device's: other processes may open it */
} taken[MOST_BLOCKS];
/* Other processes' memory. */
static struct opened {
  void *at;
  size_t bytes;
} opened[MOST_BLOCKS];
static size_t in_use, most_in_use;

size_t stand_in_bytes(void)
{
  return in_use;
}
size_t stand_in_most(void)
{
  return most_in_use;
}
static size_t room(void)
{
  const char *text = getenv("GMG_STAND_IN_MEMORY");
  return text ? (size_t)strtoull(text, NULL, 10) : (size_t)1 << 30;
}

int stand_in_is_locked(const void *at)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].locked && (const char *)at >= (char *)taken[n].at
        && (const char *)at < (char *)taken[n].at + taken[n].bytes)
      return 1;
  return 0;
}

/* Whether bytes lie in one block of the device, or of what another process has there. */
int stand_in_is_there(const void *at, size_t bytes)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].at && !taken[n].locked && (const char *)at >= (char *)taken[n].at
        && (const char *)at + bytes <= (char *)taken[n].at + taken[n].bytes)
      return 1;
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (opened[n].at && (const char *)at >= (char *)opened[n].at
        && (const char *)at + bytes <= (char *)opened[n].at + opened[n].bytes)
      return 1;
  return 0;
}

/* Memory of a file of its own. */
static void *map_file(size_t bytes, int *file)
{
  *file = memfd_create("device", 0);
  if (*file < 0 || ftruncate(*file, (off_t)bytes + 1) != 0)
    return NULL;
  void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  return at == MAP_FAILED ? NULL : at;
}

static CUresult take(size_t bytes, int locked, void **at)
{
  int n = 0, file = -1;
  while (n < MOST_BLOCKS && taken[n].at)
    n++;
  if (n == MOST_BLOCKS || (!locked && in_use + bytes > room()))
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *memory =
    locked ? aligned_alloc(256, (bytes + 255) / 256 * 256 + 256) : map_file(bytes, &file);
  if (!memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  taken[n] = (struct block){memory, bytes, locked, file};
  memset(memory, 0xA5, bytes); /* nobody finds zeros that nobody wrote */
  in_use += locked ? 0 : bytes;
  most_in_use = in_use > most_in_use ? in_use : most_in_use;
  *at = memory;
  return CUDA_SUCCESS;
}

static CUresult give(void *at, int locked)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].at == at && taken[n].locked == locked) {
      in_use -= locked ? 0 : taken[n].bytes;
      memset(at, 0x5A, taken[n].bytes);
      if (locked) {
        free(at);
      } else {
        munmap(at, taken[n].bytes + 1);
        close(taken[n].file);
      }
      taken[n] = (struct block){NULL, 0, 0, 0};
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

/* What a handle holds. */
struct handle {
  int process, file;
  size_t bytes;
};
_Static_assert(sizeof(struct handle) <= sizeof(CUipcMemHandle), "a handle has room for this");

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr at)
{
  for (int n = 0; n < MOST_BLOCKS; n++) {
    const uintptr_t first = (uintptr_t)taken[n].at;
    if (first && !taken[n].locked && at >= first && at < first + taken[n].bytes) {
      *base = first;
      *bytes = taken[n].bytes;
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuIpcGetMemHandle(CUipcMemHandle *result, CUdeviceptr at)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].at && (uintptr_t)taken[n].at == at && !taken[n].locked
        && !getenv("GMG_STAND_IN_ALONE")) {
      const struct handle handle = {(int)getpid(), taken[n].file, taken[n].bytes};
      memcpy(result, &handle, sizeof handle);
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuIpcOpenMemHandle(CUdeviceptr *at, CUipcMemHandle from, unsigned flags)
{
  char path[60];
  struct handle handle;
  int n = 0;
  (void)flags;
  memcpy(&handle, &from, sizeof handle);
  snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process, handle.file);
  const int file = open(path, O_RDWR);
  while (n < MOST_BLOCKS && opened[n].at)
    n++;
  void *memory = file < 0 || n == MOST_BLOCKS
    ? MAP_FAILED
    : mmap(NULL, handle.bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0)
    close(file);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_INVALID_VALUE;
  opened[n] = (struct opened){memory, handle.bytes};
  *at = (CUdeviceptr)(uintptr_t)memory;
  return CUDA_SUCCESS;
}
CUresult cuIpcCloseMemHandle(CUdeviceptr at)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (opened[n].at && (uintptr_t)opened[n].at == at) {
      munmap(opened[n].at, opened[n].bytes + 1);
      opened[n] = (struct opened){NULL, 0};
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
  *total = room();
  *available = room() - in_use;
  return stand_in_entered() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes)
{
  void *pointer = NULL;
  const CUresult result =
    stand_in_entered() ? take(bytes, 0, &pointer) : CUDA_ERROR_INVALID_CONTEXT;
  *at = (CUdeviceptr)(uintptr_t)pointer;
  return result;
}
CUresult cuMemFree(CUdeviceptr at)
{
  return stand_in_entered() ? give((void *)(uintptr_t)at, 0) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
  (void)flags;
  return stand_in_entered() ? take(bytes, 1, at) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemFreeHost(void *at)
{
  return stand_in_entered() ? give(at, 1) : CUDA_ERROR_INVALID_CONTEXT;
}

static long long to_device, from_device; /* bytes copied */
static size_t largest;

void stand_in_copied(long long bytes[2])
{
  bytes[0] = to_device;
  bytes[1] = from_device;
}
size_t stand_in_largest(void)
{
  const size_t found = largest;
  largest = 0;
  return found;
}

static CUresult copy(CUstream stream, void *to, const void *from, size_t bytes, int from_host)
{
  const int good = stand_in_entered()
    && (from_host ? stand_in_is_there(to, bytes) : stand_in_is_there(from, bytes));
  if (!good)
    return CUDA_ERROR_INVALID_VALUE;
  struct stand_in_work *work = stand_in_append(stream);
  work->kind = STAND_IN_COPY;
  work->to = to;
  work->from = from;
  work->bytes = bytes;
  work->staged = from_host && !stand_in_is_locked(from) ? stand_in_copy_of(from, bytes) : NULL;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  to_device += (long long)bytes;
  return copy(stream, (void *)(uintptr_t)to, from, bytes, 1);
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  from_device += (long long)bytes;
  largest = bytes > largest ? bytes : largest;
  return copy(stream, to, (const void *)(uintptr_t)from, bytes, 0);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  if (!stand_in_is_there((void *)(uintptr_t)to, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return copy(stream, (void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, 0);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
  if (!stand_in_entered() || !stand_in_is_there((void *)(uintptr_t)to, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  struct stand_in_work *work = stand_in_append(stream);
  work->kind = STAND_IN_FILL;
  work->to = (void *)(uintptr_t)to;
  work->value = value;
  work->bytes = bytes;
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *which, void **data,
                                CUdeviceptr at)
{
  if (count != 1 || which[0] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
    return CUDA_ERROR_INVALID_VALUE;
  *(unsigned *)data[0] = stand_in_is_there((void *)(uintptr_t)at, 1) ? CU_MEMORYTYPE_DEVICE : 0;
  return CUDA_SUCCESS;
}
