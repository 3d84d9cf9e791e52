/* A CUDA driver whose device is the CPU, for tests: the shared library libcuda.so.1. Its modules are shared objects that the
 * stand-in compiler (compiler.c) made. It is as lazy as the interface allows: what is put on a stream runs when somebody waits
 * for the stream, and nodes of a graph run in the last order that their edges leave, so that a wait or an edge that is
 * missing shows. GMG_STAND_IN_MEMORY: bytes that the device has (default 1 GiB). */
#include <cuda.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_NODES = 8192, MOST_BLOCKS = 4096, PROCESSORS = 2 };

typedef void launcher(const unsigned grid[3], const unsigned block[3], int cooperative, void **params);

struct CUfunc_st {
  launcher *launch;
  size_t bytes; /* of its one parameter */
};
struct CUmod_st {
  void *library;
  int
    file; /* open as long as the library is: another's would get its path, and dlopen knows libraries by their paths */
  int functions;
  struct CUfunc_st function[64];
};

enum kind { KERNEL, COPY, FILL };
struct work {
  enum kind kind;
  CUfunction function;
  unsigned grid[3], block[3];
  int cooperative;
  void *params; /* a copy */
  void *to;
  const void *from;
  void *staged; /* of memory that is not page-locked, as it was */
  size_t bytes;
  unsigned char value;
};

struct CUstream_st {
  struct work *work;
  int works, room;
};
struct CUgraphNode_st {
  CUgraph graph;
  struct work work;
  int after[MOST_NODES > 64 ? 64 : MOST_NODES], afters, index;
};
struct CUgraph_st {
  CUgraphNode node[MOST_NODES];
  int nodes;
};
struct CUgraphExec_st {
  struct work work[MOST_NODES];
  int place[MOST_NODES]; /* of a node in the order of its work */
  int works;
};
struct CUevent_st {
  double milliseconds;
};

static struct block {
  void *at;
  size_t bytes;
  int locked; /* host memory */
} taken[MOST_BLOCKS];
static size_t in_use, most_in_use;
static int contexts;
static int launches;

/* For tests: bytes of the device in use, the most so far, and kernels run. */
size_t stand_in_bytes(void);
size_t stand_in_most(void);
int stand_in_launches(void);
size_t stand_in_bytes(void)
{
  return in_use;
}
size_t stand_in_most(void)
{
  return most_in_use;
}
int stand_in_launches(void)
{
  return launches;
}

static size_t room(void)
{
  const char *text = getenv("GMG_STAND_IN_MEMORY");
  return text ? (size_t)strtoull(text, NULL, 10) : (size_t)1 << 30;
}

static int is_locked(const void *at)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].locked && (const char *)at >= (char *)taken[n].at
        && (const char *)at < (char *)taken[n].at + taken[n].bytes)
      return 1;
  return 0;
}

/* Whether bytes lie in one block of the device. */
static int is_there(const void *at, size_t bytes)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].at && !taken[n].locked && (const char *)at >= (char *)taken[n].at
        && (const char *)at + bytes <= (char *)taken[n].at + taken[n].bytes)
      return 1;
  return 0;
}

static CUresult take(size_t bytes, int locked, void **at)
{
  int n = 0;
  while (n < MOST_BLOCKS && taken[n].at)
    n++;
  if (n == MOST_BLOCKS || (!locked && in_use + bytes > room()))
    return CUDA_ERROR_OUT_OF_MEMORY;
  taken[n] = (struct block){aligned_alloc(256, (bytes + 255) / 256 * 256 + 256), bytes, locked};
  if (!taken[n].at)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset(taken[n].at, 0xA5, bytes); /* nobody finds zeros that nobody wrote */
  in_use += locked ? 0 : bytes;
  most_in_use = in_use > most_in_use ? in_use : most_in_use;
  *at = taken[n].at;
  return CUDA_SUCCESS;
}

static CUresult give(void *at, int locked)
{
  for (int n = 0; n < MOST_BLOCKS; n++)
    if (taken[n].at == at && taken[n].locked == locked) {
      in_use -= locked ? 0 : taken[n].bytes;
      memset(at, 0x5A, taken[n].bytes);
      free(at);
      taken[n] = (struct block){NULL, 0, 0};
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

static void run_work(struct work *work)
{
  switch (work->kind) {
  case KERNEL: {
    void *params[] = {work->params};
    launches++;
    work->function->launch(work->grid, work->block, work->cooperative, params);
    break;
  }
  case COPY:
    memcpy(work->to, work->staged ? work->staged : work->from, work->bytes);
    break;
  case FILL:
    memset(work->to, work->value, work->bytes);
    break;
  }
}

static struct work *append(CUstream stream)
{
  if (stream->works == stream->room) {
    stream->room = 2 * stream->room + 64;
    stream->work = realloc(stream->work, (size_t)stream->room * sizeof *stream->work);
    if (!stream->work)
      abort();
  }
  stream->work[stream->works] = (struct work){.kind = KERNEL};
  return &stream->work[stream->works++];
}

static void *copy_of(const void *bytes, size_t count)
{
  void *copy = malloc(count ? count : 1);
  if (!copy)
    abort();
  return memcpy(copy, bytes, count);
}

static void drain(CUstream stream)
{
  for (int n = 0; n < stream->works; n++) {
    run_work(&stream->work[n]);
    free(stream->work[n].params);
    free(stream->work[n].staged);
  }
  stream->works = 0;
}

CUresult cuInit(unsigned flags)
{
  (void)flags;
  return getenv("GMG_STAND_IN_NO_DEVICE") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version)
{
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char **text)
{
  *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STAND_IN";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text)
{
  *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "an error of the stand-in";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count)
{
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
  (void)device;
  snprintf(name, (size_t)size, "the CPU, standing in for a GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
  (void)device;
  *value = which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? PROCESSORS
    : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR  ? 9
    : which == CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH        ? 1
                                                             : 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  (void)device;
  contexts++;
  *context = (CUcontext)(void *)&contexts;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
  (void)device;
  contexts--;
  return CUDA_SUCCESS;
}
static int pushed;
CUresult cuCtxPushCurrent(CUcontext context)
{
  pushed++;
  return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPopCurrent(CUcontext *context)
{
  *context = (CUcontext)(void *)&contexts;
  return pushed-- > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemGetInfo(size_t *available, size_t *total)
{
  *total = room();
  *available = room() - in_use;
  return pushed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes)
{
  void *pointer = NULL;
  const CUresult result = pushed ? take(bytes, 0, &pointer) : CUDA_ERROR_INVALID_CONTEXT;
  *at = (CUdeviceptr)(uintptr_t)pointer;
  return result;
}
CUresult cuMemFree(CUdeviceptr at)
{
  return pushed ? give((void *)(uintptr_t)at, 0) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
  (void)flags;
  return pushed ? take(bytes, 1, at) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemFreeHost(void *at)
{
  return pushed ? give(at, 1) : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult copy(CUstream stream, void *to, const void *from, size_t bytes, int from_host)
{
  const int good = pushed && (from_host ? is_there(to, bytes) : is_there(from, bytes));
  if (!good)
    return CUDA_ERROR_INVALID_VALUE;
  struct work *work = append(stream);
  work->kind = COPY;
  work->to = to;
  work->from = from;
  work->bytes = bytes;
  work->staged = from_host && !is_locked(from) ? copy_of(from, bytes) : NULL;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  return copy(stream, (void *)(uintptr_t)to, from, bytes, 1);
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  return copy(stream, to, (const void *)(uintptr_t)from, bytes, 0);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  if (!is_there((void *)(uintptr_t)to, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return copy(stream, (void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, 0);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
  if (!pushed || !is_there((void *)(uintptr_t)to, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  struct work *work = append(stream);
  work->kind = FILL;
  work->to = (void *)(uintptr_t)to;
  work->value = value;
  work->bytes = bytes;
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *which, void **data, CUdeviceptr at)
{
  if (count != 1 || which[0] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
    return CUDA_ERROR_INVALID_VALUE;
  *(unsigned *)data[0] = is_there((void *)(uintptr_t)at, 1) ? CU_MEMORYTYPE_DEVICE : 0;
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  (void)flags;
  *stream = calloc(1, sizeof **stream);
  return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuStreamDestroy(CUstream stream)
{
  drain(stream);
  free(stream->work);
  free(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream)
{
  drain(stream);
  return pushed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuEventDestroy(CUevent event)
{
  free(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream)
{
  static double clock;
  drain(stream);
  event->milliseconds = clock += 1e-3;
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event)
{
  (void)event;
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
  *milliseconds = (float)(to->milliseconds - from->milliseconds);
  return CUDA_SUCCESS;
}

/* The sections of a shared object end where its section headers do. */
static size_t image_bytes(const void *image)
{
  const Elf64_Ehdr *head = image;
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  return (size_t)head->e_shoff + (size_t)head->e_shentsize * head->e_shnum;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  char path[60];
  const size_t bytes = image_bytes(image);
  const int file = bytes ? memfd_create("module", 0) : -1;
  if (file < 0 || write(file, image, bytes) != (ssize_t)bytes)
    return CUDA_ERROR_INVALID_IMAGE;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  *module = calloc(1, sizeof **module);
  (*module)->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  (*module)->file = file;
  if (!(*module)->library) {
    fprintf(stderr, "stand-in: %s\n", dlerror());
    close(file);
    free(*module);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module)
{
  dlclose(module->library);
  close(module->file);
  free(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
  char text[200];
  struct CUfunc_st *f = &module->function[module->functions];
  snprintf(text, sizeof text, "%s_on_cpu", name);
  *(void **)&f->launch = dlsym(module->library, text);
  snprintf(text, sizeof text, "%s_bytes", name);
  const size_t *size = dlsym(module->library, text);
  if (!f->launch || !size)
    return CUDA_ERROR_NOT_FOUND;
  f->bytes = *size;
  module->functions++;
  *function = f;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
  (void)which;
  (void)function;
  *value = 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
  (void)which;
  (void)function;
  (void)value;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int size, size_t shared)
{
  (void)function;
  (void)size;
  (void)shared;
  *blocks = 1;
  return CUDA_SUCCESS;
}

static CUresult set_kernel(struct work *work, CUfunction function, const unsigned grid[3], const unsigned block[3],
                           int cooperative, void **params)
{
  if (!grid[0] || !grid[1] || !grid[2] || !block[0] || !block[1] || !block[2] || block[0] * block[1] * block[2] > 1024
      || grid[1] > 65535 || grid[2] > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  work->kind = KERNEL;
  work->function = function;
  memcpy(work->grid, grid, sizeof work->grid);
  memcpy(work->block, block, sizeof work->block);
  work->cooperative = cooperative;
  work->params = copy_of(params[0], function->bytes);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **params, void **extra)
{
  (void)shared;
  (void)extra;
  return set_kernel(append(stream), function, (unsigned[]){gx, gy, gz}, (unsigned[]){bx, by, bz}, 0, params);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **params)
{
  (void)shared;
  if (gx * gy * gz > PROCESSORS)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return set_kernel(append(stream), function, (unsigned[]){gx, gy, gz}, (unsigned[]){bx, by, bz}, 1, params);
}

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
  (void)flags;
  *graph = calloc(1, sizeof **graph);
  return *graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuGraphDestroy(CUgraph graph)
{
  for (int n = 0; n < graph->nodes; n++) {
    free(graph->node[n]->work.params);
    free(graph->node[n]);
  }
  free(graph);
  return CUDA_SUCCESS;
}

static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t afters)
{
  if (graph->nodes == MOST_NODES || afters > 64)
    return CUDA_ERROR_INVALID_VALUE;
  *node = calloc(1, sizeof **node);
  (*node)->index = graph->nodes;
  for (size_t n = 0; n < afters; n++)
    (*node)->after[(*node)->afters++] = after[n]->index;
  graph->node[graph->nodes++] = *node;
  return CUDA_SUCCESS;
}
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t afters,
                              const CUDA_KERNEL_NODE_PARAMS *p)
{
  const CUresult result = add_node(node, graph, after, afters);
  if (result != CUDA_SUCCESS)
    return result;
  return set_kernel(&(*node)->work, p->func, (unsigned[]){p->gridDimX, p->gridDimY, p->gridDimZ},
                    (unsigned[]){p->blockDimX, p->blockDimY, p->blockDimZ}, 0, p->kernelParams);
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID which, const CUkernelNodeAttrValue *value)
{
  if (which != CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
    return CUDA_ERROR_INVALID_VALUE;
  node->work.cooperative = value->cooperative;
  return CUDA_SUCCESS;
}
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t afters,
                              const CUDA_MEMCPY3D *p, CUcontext context)
{
  (void)context;
  const CUresult result = add_node(node, graph, after, afters);
  if (result != CUDA_SUCCESS)
    return result;
  if (p->Height != 1 || p->Depth != 1)
    return CUDA_ERROR_INVALID_VALUE;
  (*node)->work = (struct work){
    .kind = COPY,
    .to = p->dstMemoryType == CU_MEMORYTYPE_HOST ? p->dstHost : (void *)(uintptr_t)p->dstDevice,
    .from = p->srcMemoryType == CU_MEMORYTYPE_HOST ? p->srcHost : (const void *)(uintptr_t)p->srcDevice,
    .bytes = p->WidthInBytes,
  };
  return CUDA_SUCCESS;
}

/* The last node that waits for nothing that is not in order yet comes next. */
CUresult cuGraphInstantiateWithFlags(CUgraphExec *result, CUgraph graph, unsigned long long flags)
{
  (void)flags;
  CUgraphExec exec = *result = calloc(1, sizeof *exec);
  for (int n = 0; n < graph->nodes; n++)
    exec->place[n] = -1;
  while (exec->works < graph->nodes) {
    int next = graph->nodes - 1;
    for (;; next--) {
      int ready = exec->place[next] < 0;
      for (int a = 0; a < graph->node[next]->afters; a++)
        ready = ready && exec->place[graph->node[next]->after[a]] >= 0;
      if (ready)
        break;
    }
    struct work *work = &exec->work[exec->works];
    *work = graph->node[next]->work;
    if (work->kind == KERNEL)
      work->params = copy_of(work->params, work->function->bytes);
    exec->place[next] = exec->works++;
  }
  return CUDA_SUCCESS;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
  struct work *work = &exec->work[exec->place[node->index]];
  const int cooperative = work->cooperative;
  free(work->params);
  return set_kernel(work, p->func, (unsigned[]){p->gridDimX, p->gridDimY, p->gridDimZ},
                    (unsigned[]){p->blockDimX, p->blockDimY, p->blockDimZ}, cooperative, p->kernelParams);
}
CUresult cuGraphExecDestroy(CUgraphExec exec)
{
  for (int n = 0; n < exec->works; n++)
    free(exec->work[n].params);
  free(exec);
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
  for (int n = 0; n < exec->works; n++) {
    struct work *work = append(stream);
    *work = exec->work[n];
    if (work->kind == KERNEL)
      work->params = copy_of(work->params, work->function->bytes);
  }
  return CUDA_SUCCESS;
}
