#include "driver.h"

#include "library.h"

#include <dlfcn.h>
#include <stdio.h>

static struct gmg_driver driver;
static __typeof__(driver.cuMemcpyHtoDAsync) copy_to_device;
static __typeof__(driver.cuMemcpyDtoHAsync) copy_to_host;
static int64_t copied[2];

#define TEXT_OF(x) #x
#define EXPANDED(x) TEXT_OF(x)

int gmg_driver_used(void)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library)
    dlclose(library);
  return library != NULL;
}

static void count(int back, size_t bytes)
{
  __atomic_add_fetch(&copied[back], (int64_t)bytes, __ATOMIC_RELAXED);
}

static CUresult counted_to_device(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  count(0, bytes);
  return copy_to_device(to, from, bytes, stream);
}

static CUresult counted_to_host(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  count(1, bytes);
  return copy_to_host(to, from, bytes, stream);
}

static void count_copies(void)
{
  copy_to_device = driver.cuMemcpyHtoDAsync;
  copy_to_host = driver.cuMemcpyDtoHAsync;
  driver.cuMemcpyHtoDAsync = counted_to_device;
  driver.cuMemcpyDtoHAsync = counted_to_host;
}

void gmg_driver_copied(int64_t bytes[2])
{
  for (int back = 0; back < 2; back++)
    bytes[back] = __atomic_load_n(&copied[back], __ATOMIC_RELAXED);
}

const struct gmg_driver *gmg_driver_open(char *reason, size_t size)
{
  static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
  static const char what[] = "CUDA driver";
  static int opened;
  if (opened)
    return &driver;
  void *library = gmg_library_open(names, what, reason, size);
  if (!library)
    return NULL;
#define FIND(function) \
  if (gmg_library_find(library, EXPANDED(function), (void *)&driver.function, what, reason, size)) \
    return NULL;
  GMG_DRIVER_CALLS(FIND)
#undef FIND
  *(void **)&driver.encode_tensor = dlsym(library, "cuTensorMapEncodeTiled");
  *(void **)&driver.start_signals = dlsym(library, "cuStreamBatchMemOp_v2");
  *(void **)&driver.add_signals = dlsym(library, "cuGraphAddBatchMemOpNode");
  const CUresult result = driver.cuInit(0);
  if (result != CUDA_SUCCESS) {
    const char *text = NULL;
    driver.cuGetErrorString(result, &text);
    if (result == CUDA_ERROR_NO_DEVICE)
      snprintf(reason, size, "there is a CUDA driver, but no device");
    else
      snprintf(reason, size, "the CUDA driver does not start: %s", text ? text : "unknown error");
    return NULL;
  }
  count_copies();
  opened = 1;
  return &driver;
}

const struct gmg_compiler *gmg_compiler_open(char *reason, size_t size)
{
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so", NULL};
  static const char what[] = "CUDA run-time compiler";
  static struct gmg_compiler compiler;
  static int opened;
  if (opened)
    return &compiler;
  void *library = gmg_library_open(names, what, reason, size);
  if (!library)
    return NULL;
#define FIND(function) \
  if (gmg_library_find(library, EXPANDED(function), (void *)&compiler.function, what, reason, \
                       size)) \
    return NULL;
  GMG_COMPILER_CALLS(FIND)
#undef FIND
  opened = 1;
  return &compiler;
}
