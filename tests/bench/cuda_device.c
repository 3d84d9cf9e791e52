#include "cuda_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of cuda.h that is used. */
enum {
  ATTRIBUTE_PROCESSORS = 16,
  ATTRIBUTE_MAJOR = 75,
  ATTRIBUTE_MINOR = 76,
  MOST_DYNAMIC_SHARED = 8,
  NOT_SUPPORTED = 801
};
static struct {
  int (*init)(unsigned);
  int (*error)(int, const char **);
  int (*device)(int *, int);
  int (*name)(char *, int, int);
  int (*attribute)(int *, int, int);
  int (*memory)(size_t *, int);
  int (*context)(void **, int);
  int (*current)(void *);
  int (*allocate)(cuda_memory *, size_t);
  int (*release)(cuda_memory);
  int (*upload)(cuda_memory, const void *, size_t);
  int (*download)(void *, cuda_memory, size_t);
  int (*copy)(cuda_memory, cuda_memory, size_t, void *);
  int (*load)(cuda_module *, const void *);
  int (*unload)(cuda_module);
  int (*find)(cuda_function *, cuda_module, const char *);
  int (*occupancy)(int *, cuda_function, int, size_t);
  int (*launch)(cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*set)(cuda_function, int, int);
  int (*wait)(void);
  int (*event)(void **, unsigned);
  int (*record)(void *, void *);
  int (*event_wait)(void *);
  int (*elapsed)(float *, void *, void *);
} driver;
/* Not in drivers before 12.0. */
static int (*encode)(void *, int, unsigned, void *, const uint64_t *, const uint64_t *,
                     const unsigned *, const unsigned *, int, int, int, int);
static int processors, architecture_major;
static void *from, *to; /* events */

static const char *text_of(int status)
{
  const char *text = NULL;
  return driver.error && !driver.error(status, &text) && text ? text : "unknown error";
}

static void must(int status, const char *what)
{
  if (!status)
    return;
  fprintf(stderr, "%s: %s\n", what, text_of(status));
  exit(1);
}

static int find_symbols(void *library, char *why, size_t size)
{
  const struct {
    const char *name;
    void *to;
  } wanted[] = {
    {"cuInit", &driver.init},
    {"cuGetErrorString", &driver.error},
    {"cuDeviceGet", &driver.device},
    {"cuDeviceGetName", &driver.name},
    {"cuDeviceGetAttribute", &driver.attribute},
    {"cuDeviceTotalMem_v2", &driver.memory},
    {"cuDevicePrimaryCtxRetain", &driver.context},
    {"cuCtxSetCurrent", &driver.current},
    {"cuMemAlloc_v2", &driver.allocate},
    {"cuMemFree_v2", &driver.release},
    {"cuMemcpyHtoD_v2", &driver.upload},
    {"cuMemcpyDtoH_v2", &driver.download},
    {"cuMemcpyDtoDAsync_v2", &driver.copy},
    {"cuModuleLoadData", &driver.load},
    {"cuModuleUnload", &driver.unload},
    {"cuModuleGetFunction", &driver.find},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver.occupancy},
    {"cuLaunchKernel", &driver.launch},
    {"cuFuncSetAttribute", &driver.set},
    {"cuCtxSynchronize", &driver.wait},
    {"cuEventCreate", &driver.event},
    {"cuEventRecord", &driver.record},
    {"cuEventSynchronize", &driver.event_wait},
    {"cuEventElapsedTime", &driver.elapsed},
  };
  for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
    void *symbol = dlsym(library, wanted[n].name);
    if (!symbol) {
      snprintf(why, size, "%s", dlerror());
      return 0;
    }
    memcpy(wanted[n].to, &symbol, sizeof symbol);
  }
  void *symbol = dlsym(library, "cuTensorMapEncodeTiled");
  memcpy(&encode, &symbol, sizeof symbol);
  return 1;
}

int cuda_open(struct cuda_device *device, char *why, size_t size)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *context = NULL;
  int number = 0, major = 0, minor = 0;
  if (!library) {
    snprintf(why, size, "%s", dlerror());
    return 0;
  }
  if (!find_symbols(library, why, size))
    return 0;
  int status = driver.init(0);
  if (!status)
    status = driver.device(&number, 0);
  if (!status)
    status = driver.context(&context, number);
  if (!status)
    status = driver.current(context);
  if (status) {
    snprintf(why, size, "%s", text_of(status));
    return 0;
  }
  must(driver.name(device->name, sizeof device->name, number), "cuDeviceGetName");
  must(driver.attribute(&device->processors, ATTRIBUTE_PROCESSORS, number), "cuDeviceGetAttribute");
  must(driver.attribute(&major, ATTRIBUTE_MAJOR, number), "cuDeviceGetAttribute");
  must(driver.attribute(&minor, ATTRIBUTE_MINOR, number), "cuDeviceGetAttribute");
  must(driver.memory(&device->memory, number), "cuDeviceTotalMem");
  processors = device->processors;
  architecture_major = major;
  must(driver.event(&from, 0), "cuEventCreate");
  must(driver.event(&to, 0), "cuEventCreate");
  snprintf(device->architecture, sizeof device->architecture, "sm_%d%d", major, minor);
  return 1;
}

cuda_memory cuda_allocate(size_t bytes)
{
  cuda_memory memory = 0;
  must(driver.allocate(&memory, bytes), "cuMemAlloc");
  return memory;
}

void cuda_release(cuda_memory memory)
{
  must(driver.release(memory), "cuMemFree");
}

void cuda_upload(cuda_memory where, const void *data, size_t bytes)
{
  must(driver.upload(where, data, bytes), "cuMemcpyHtoD");
}

void cuda_download(void *data, cuda_memory where, size_t bytes)
{
  must(driver.download(data, where, bytes), "cuMemcpyDtoH");
}

void cuda_copy(cuda_memory where, cuda_memory data, size_t bytes)
{
  must(driver.copy(where, data, bytes, NULL), "cuMemcpyDtoDAsync");
}

cuda_module cuda_load(const void *cubin)
{
  cuda_module module = NULL;
  must(driver.load(&module, cubin), "cuModuleLoadData");
  return module;
}

void cuda_unload(cuda_module module)
{
  must(driver.unload(module), "cuModuleUnload");
}

cuda_function cuda_find(cuda_module module, const char *name)
{
  cuda_function function = NULL;
  return driver.find(&function, module, name) ? NULL : function;
}

int cuda_blocks_per_processor(cuda_function function, int threads)
{
  int blocks = 0;
  must(driver.occupancy(&blocks, function, threads, 0),
       "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

int cuda_launch(cuda_function function, const unsigned grid[3], const unsigned block[3], void *args)
{
  void *parameters[] = {args};
  return driver.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, NULL,
                       parameters, NULL);
}

int cuda_launch_shared(cuda_function function, const unsigned grid[3], const unsigned block[3],
                       int shared_bytes, void **parameters)
{
  const int status = driver.set(function, MOST_DYNAMIC_SHARED, shared_bytes);
  return status ? status
                : driver.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                (unsigned)shared_bytes, NULL, parameters, NULL);
}

int cuda_processors(void)
{
  return processors;
}

int cuda_copies_boxes(void)
{
  return encode && architecture_major >= 9;
}

int cuda_encode_tensor(void *tensor, int type, unsigned rank, void *first, const uint64_t *extent,
                       const uint64_t *stride, const unsigned *box, const unsigned *step,
                       int interleave, int swizzle, int promotion, int fill)
{
  return !encode ? NOT_SUPPORTED
                 : encode(tensor, type, rank, first, extent, stride, box, step, interleave, swizzle,
                          promotion, fill);
}

void cuda_wait(void)
{
  must(driver.wait(), "cuCtxSynchronize");
}

void cuda_clock_begin(void)
{
  must(driver.record(from, NULL), "cuEventRecord");
}

double cuda_clock_end(void)
{
  float milliseconds = 0;
  must(driver.record(to, NULL), "cuEventRecord");
  must(driver.event_wait(to), "cuEventSynchronize");
  must(driver.elapsed(&milliseconds, from, to), "cuEventElapsedTime");
  return milliseconds;
}
