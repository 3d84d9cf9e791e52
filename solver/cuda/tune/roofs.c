#include "roofs.h"

#include "cuda/runtime/device.h"
#include "roofs_text.h"
#include "system/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum roof_kernel { EMPTY, COPY, TRIAD, READ, FMA_DOUBLE, FMA_FLOAT, BARRIER, KERNELS };
static const char *const symbol[KERNELS] = {
  "gmg_roof_empty",      "gmg_roof_copy",      "gmg_roof_triad",  "gmg_roof_read",
  "gmg_roof_fma_double", "gmg_roof_fma_float", "gmg_roof_barrier"};
/* Arrays in memory are CACHES of the device's caches; BLOCKS on a multiprocessor. Without a known
 * cache (no GPU is so) arrays have SMALL bytes. */
enum { CACHES = 32, BLOCKS = 8, SMALL = 1 << 18, LEAST_RUNS = 3, MOST_RUNS = 50 };
enum { EMPTY_LAUNCHES = 200, BARRIERS = 200 };

struct measure {
  struct gmg_device *device;
  gmg_roofs *roofs;
  CUmodule module;
  CUfunction function[KERNELS];
  CUdeviceptr array[3], barrier;
  CUevent event[2];
  CUgraph graph;
  CUgraphExec exec;
  size_t bytes; /* of an array */
  double cache; /* bytes of the device's cache */
  double slice; /* seconds of a measurement */
};

static int attribute(struct gmg_device *device, CUdevice_attribute which)
{
  int value = 0;
  GMG_DEVICE_TRY(device, cuDeviceGetAttribute, &value, which, device->id);
  return value;
}

static void load(struct measure *m)
{
  struct gmg_device *device = m->device;
  struct gmg_cubin cubin = {.text = (char *)gmg_roofs_text}; /* which is only read */
  if (gmg_cubin_compile(&device->way, &cubin, 1, 1)) {
    device->failed = GMG_ERR_DEVICE;
    snprintf(device->message, sizeof device->message, "its kernels do not compile for %s: %s",
             device->way.architecture, cubin.log ? cubin.log : "out of memory");
  } else {
    GMG_DEVICE_TRY(device, cuModuleLoadData, &m->module, cubin.code);
  }
  gmg_cubin_clear(&cubin);
  for (int n = 0; n < KERNELS && !device->failed; n++)
    GMG_DEVICE_TRY(device, cuModuleGetFunction, &m->function[n], m->module, symbol[n]);
}

static void take(struct measure *m)
{
  struct gmg_device *device = m->device;
  size_t available = 0, all = 0;
  m->cache = attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  GMG_DEVICE_TRY(device, cuMemGetInfo, &available, &all);
  m->bytes = m->cache > 0 ? CACHES * (size_t)m->cache : SMALL;
  if (m->bytes > available / 8) {
    m->bytes = available / 8;
    m->roofs->bounded = 1;
  }
  m->bytes = m->bytes / GMG_ROOF_PART * GMG_ROOF_PART;
  for (int n = 0; n < 3 && !device->failed; n++)
    if (!GMG_DEVICE_TRY(device, cuMemAlloc, &m->array[n], m->bytes))
      GMG_DEVICE_TRY(device, cuMemsetD8Async, m->array[n], 0, m->bytes, device->stream);
  if (!device->failed)
    GMG_DEVICE_TRY(device, cuMemAlloc, &m->barrier, sizeof(unsigned));
  for (int n = 0; n < 2 && !device->failed; n++)
    GMG_DEVICE_TRY(device, cuEventCreate, &m->event[n], CU_EVENT_DEFAULT);
}

static void give_back(struct measure *m)
{
  const struct gmg_driver *driver = m->device->driver;
  for (int n = 0; n < 3; n++)
    if (m->array[n])
      driver->cuMemFree(m->array[n]);
  if (m->barrier)
    driver->cuMemFree(m->barrier);
  for (int n = 0; n < 2; n++)
    if (m->event[n])
      driver->cuEventDestroy(m->event[n]);
  if (m->exec)
    driver->cuGraphExecDestroy(m->exec);
  if (m->graph)
    driver->cuGraphDestroy(m->graph);
  if (m->module)
    driver->cuModuleUnload(m->module);
}

/* A piece of work whose time is measured. */
struct work {
  enum roof_kernel kernel;
  unsigned blocks;
  size_t bytes; /* of each array that it touches */
  int rounds, launches;
  int whole;  /* 1: all blocks at once */
  int copies; /* 1: the driver copies, no kernel runs */
  int graph;  /* 1: what is in the graph runs */
};

static void start(struct measure *m, const struct work *w)
{
  struct gmg_device *device = m->device;
  struct gmg_roof_args args = {.a = m->array[0],
                               .b = m->array[1],
                               .c = m->array[2],
                               .barrier = m->barrier,
                               .pairs = (int64_t)(w->bytes / 16),
                               .rounds = w->rounds};
  void *argument[] = {&args};
  if (w->graph)
    GMG_DEVICE_TRY(device, cuGraphLaunch, m->exec, device->stream);
  else if (w->copies)
    GMG_DEVICE_TRY(device, cuMemcpyDtoDAsync, m->array[0], m->array[1], w->bytes, device->stream);
  else if (w->whole)
    GMG_DEVICE_TRY(device, cuLaunchCooperativeKernel, m->function[w->kernel], w->blocks, 1, 1,
                   GMG_ROOF_THREADS, 1, 1, 0, device->stream, argument);
  else
    for (int n = 0; n < w->launches && !device->failed; n++)
      GMG_DEVICE_TRY(device, cuLaunchKernel, m->function[w->kernel], w->blocks, 1, 1,
                     GMG_ROOF_THREADS, 1, 1, 0, device->stream, argument, NULL);
}

/* The least seconds of some runs, the first one left out; 0 after a failure. */
static double least_seconds(struct measure *m, const struct work *w)
{
  struct gmg_device *device = m->device;
  const double begin = gmg_seconds();
  double least = 0;
  for (int run = 0; run < MOST_RUNS && !device->failed; run++) {
    float milliseconds = 0;
    if (w->whole)
      GMG_DEVICE_TRY(device, cuMemsetD8Async, m->barrier, 0, sizeof(unsigned), device->stream);
    GMG_DEVICE_TRY(device, cuEventRecord, m->event[0], device->stream);
    start(m, w);
    GMG_DEVICE_TRY(device, cuEventRecord, m->event[1], device->stream);
    gmg_device_synchronize(device);
    GMG_DEVICE_TRY(device, cuEventElapsedTime, &milliseconds, m->event[0], m->event[1]);
    const double seconds = 1e-3 * (double)milliseconds;
    if (run > 0 && seconds > 0 && (least == 0 || seconds < least))
      least = seconds;
    if (run >= LEAST_RUNS && gmg_seconds() - begin > m->slice)
      break;
  }
  return device->failed ? 0 : least;
}

static void note(struct measure *m, gmg_roof_kind kind, int cache, double set, double rate)
{
  gmg_roofs *roofs = m->roofs;
  if (rate > 0 && roofs->roofs < GMG_MOST_ROOFS)
    roofs->roof[roofs->roofs++] = (gmg_roof){"cuda", kind, cache, 1, set, rate};
}

/* Thread blocks for arrays of so many bytes each: one for every part of memory, as many as run at
 * once for what the cache holds, which is gone over in rounds. */
static unsigned blocks_for(const struct measure *m, int cache, size_t bytes)
{
  const size_t parts = bytes / GMG_ROOF_PART, most = (size_t)(BLOCKS * m->device->multiprocessors);
  return (unsigned)(cache && parts > most ? most : parts);
}

/* Copy, triad and read, by kernels, over arrays of so many bytes each. */
static void measure_place(struct measure *m, int cache, size_t bytes, int rounds)
{
  static const struct {
    enum roof_kernel kernel;
    gmg_roof_kind kind;
    int arrays;
  } pattern[] = {{COPY, GMG_ROOF_COPY, 2}, {TRIAD, GMG_ROOF_TRIAD, 3}, {READ, GMG_ROOF_READ, 1}};
  for (size_t n = 0; n < sizeof pattern / sizeof *pattern; n++) {
    const int arrays = pattern[n].arrays;
    const struct work work = {.kernel = pattern[n].kernel,
                              .blocks = blocks_for(m, cache, bytes),
                              .bytes = bytes,
                              .rounds = rounds,
                              .launches = 1};
    const double seconds = least_seconds(m, &work), set = arrays * (double)bytes;
    note(m, pattern[n].kind, cache, set, seconds > 0 ? rounds * set / seconds : 0);
  }
}

static void measure_bytes(struct measure *m)
{
  enum { ROUNDS = 20 };
  const struct work copy = {.bytes = m->bytes, .copies = 1};
  const double seconds = least_seconds(m, &copy);
  note(m, GMG_ROOF_COPY_DRIVER, 0, 2 * (double)m->bytes,
       seconds > 0 ? 2 * (double)m->bytes / seconds : 0);
  measure_place(m, 0, m->bytes, 1);
  if (m->cache > 0)
    measure_place(m, 2, (size_t)(m->cache / 8) / GMG_ROOF_PART * GMG_ROOF_PART, ROUNDS);
}

static void measure_operations(struct measure *m)
{
  static const struct {
    enum roof_kernel kernel;
    gmg_roof_kind kind;
  } pattern[] = {{FMA_DOUBLE, GMG_ROOF_FMA_DOUBLE}, {FMA_FLOAT, GMG_ROOF_FMA_FLOAT}};
  /* A stand-in for a GPU runs the kernels too, on a CPU. */
  const int rounds = m->cache > 0 ? 20000 : 50;
  for (int n = 0; n < 2; n++) {
    const struct work work = {.kernel = pattern[n].kernel,
                              .blocks = (unsigned)(BLOCKS * m->device->multiprocessors),
                              .rounds = rounds,
                              .launches = 1};
    const double seconds = least_seconds(m, &work),
                 operations = 2. * GMG_ROOF_CHAINS * GMG_ROOF_THREADS * work.blocks * rounds;
    note(m, pattern[n].kind, 0, 0, seconds > 0 ? operations / seconds : 0);
  }
}

/* Empty kernels, one after the other, as nodes of a graph. */
static void build_graph(struct measure *m)
{
  struct gmg_device *device = m->device;
  struct gmg_roof_args args = {.rounds = 1};
  void *argument[] = {&args};
  CUgraphNode last = NULL;
  const CUDA_KERNEL_NODE_PARAMS params = {.func = m->function[EMPTY],
                                          .gridDimX = 1,
                                          .gridDimY = 1,
                                          .gridDimZ = 1,
                                          .blockDimX = GMG_ROOF_THREADS,
                                          .blockDimY = 1,
                                          .blockDimZ = 1,
                                          .kernelParams = argument};
  GMG_DEVICE_TRY(device, cuGraphCreate, &m->graph, 0);
  for (int n = 0; n < EMPTY_LAUNCHES && !device->failed; n++) {
    CUgraphNode node;
    if (!GMG_DEVICE_TRY(device, cuGraphAddKernelNode, &node, m->graph, n ? &last : NULL, n ? 1 : 0,
                        &params))
      last = node;
  }
  if (!device->failed)
    GMG_DEVICE_TRY(device, cuGraphInstantiateWithFlags, &m->exec, m->graph, 0);
}

static void measure_times(struct measure *m)
{
  const struct work empty = {.kernel = EMPTY, .blocks = 1, .rounds = 1, .launches = EMPTY_LAUNCHES};
  const struct work graph = {.graph = 1};
  const struct work barrier = {.kernel = BARRIER,
                               .blocks = (unsigned)m->device->multiprocessors,
                               .rounds = BARRIERS,
                               .whole = 1};
  note(m, GMG_ROOF_LAUNCH, 0, 0, least_seconds(m, &empty) / EMPTY_LAUNCHES);
  build_graph(m);
  if (!m->device->failed)
    note(m, GMG_ROOF_GRAPH_LAUNCH, 0, 0, least_seconds(m, &graph) / EMPTY_LAUNCHES);
  if (m->device->cooperative)
    note(m, GMG_ROOF_BARRIER, 0, 0, least_seconds(m, &barrier) / BARRIERS);
  else
    snprintf(m->roofs->device_note, sizeof m->roofs->device_note,
             "the GPU launches no kernel whose blocks may wait for each other: its barrier was not "
             "measured");
}

void gmg_cuda_measure(gmg_context *context, double seconds, gmg_roofs *roofs)
{
  enum { MEASUREMENTS = 12 };
  struct gmg_device *device = context->device;
  struct measure m = {.device = device, .roofs = roofs, .slice = seconds / MEASUREMENTS};
  if (device->failed)
    return;
  gmg_device_enter(device);
  load(&m);
  if (!device->failed)
    take(&m);
  if (!device->failed)
    measure_bytes(&m);
  if (!device->failed)
    measure_operations(&m);
  if (!device->failed)
    measure_times(&m);
  roofs->device_cache = m.cache;
  if (device->failed) { /* which is no failure of the solves to come */
    snprintf(roofs->device_note, sizeof roofs->device_note,
             "the roofs of the GPU are not all measured: %.200s", device->message);
    device->failed = GMG_OK;
  }
  give_back(&m);
  gmg_device_leave(device);
}
