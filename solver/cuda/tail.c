#include "tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 512, WARP = 32, MOST_KERNELS = 64 };
enum { NARROW_BYTES = 48 << 10 };    /* so few are faster moved by one thread block than by all with a barrier behind */
enum wait { WAIT_BLOCK, WAIT_GRID }; /* behind an operation */

/* An operation of the list, as the text below has it. */
struct operation {
  int kernel; /* place in the switch */
  int blocks; /* the first so many thread blocks run it; where it is one, the others wait for it later */
  int each;   /* threads of each of them that have something to do */
  int wait;
  struct gmg_cuda_args args;
};

struct tail_args {
  CUdeviceptr operation, barrier, clock; /* clock: 0, or where the times go */
  int operations, unused;
};

_Static_assert(sizeof(struct operation) <= THREADS * sizeof(int), "a word of an operation for every thread");

struct gmg_tail {
  const struct gmg_cuda_kernel *kernel[MOST_KERNELS];
  int kernels;
  unsigned blocks;
  CUmodule module;
  CUfunction function;
};

struct gmg_tail_list {
  int entries, operations;
  struct operation *operation;       /* in page-locked memory */
  double (*scalar)[GMG_MAX_SCALARS]; /* by entry, as they were last */
  CUdeviceptr d_operation, d_clock;
  struct tail_args args;
  void *argument[1];
};

/* In one launch values are read that it wrote before: not through the read-only cache. */
static const char plain_reads[] = "#define __ldg(at) (*(at))\n";
/* What stands around the generated kernels. Two counters make the barrier: arrivals, which only grow, and thread blocks that
 * have left, the last of which sets both back for the next launch. */
static const char frame_begin[] =
  "struct gmg_tail_operation { int kernel, blocks, each, wait; struct gmg_cuda_args args; };\n"
  "struct gmg_tail_args {\n"
  "  const struct gmg_tail_operation *operation;\n"
  "  unsigned *barrier;\n"
  "  long long *clock;\n"
  "  int operations, unused;\n"
  "};\n"
  "\n"
  "/* No thread block passes before all have come, and all see what any wrote before. */\n"
  "static __device__ void gmg_tail_barrier(unsigned *arrived, unsigned blocks)\n"
  "{\n"
  "  __syncthreads();\n"
  "  if (threadIdx.x == 0) {\n"
  "    __threadfence();\n"
  "    const unsigned goal = (atomicAdd(arrived, 1u) / blocks + 1) * blocks;\n"
  "    while (*(volatile unsigned *)arrived < goal)\n"
  "      __nanosleep(16);\n"
  "    __threadfence();\n"
  "  }\n"
  "  __syncthreads();\n"
  "}\n"
  "\n"
  "static __device__ void gmg_tail_run(int kernel, const struct gmg_cuda_args *args, int thread, int threads)\n"
  "{\n"
  "  switch (kernel) {\n";
static const char frame_case[] = "  case %d:\n    %s_cells(args, thread, threads);\n    break;\n";
static const char frame_end[] =
  "  }\n"
  "}\n"
  "\n"
  "extern \"C\" __global__ void __launch_bounds__(%d)\n"
  "gmg_tail(const __grid_constant__ struct gmg_tail_args args)\n"
  "{\n"
  "  __shared__ struct gmg_tail_operation operation[2]; /* this one, and the next, which is on its way meanwhile */\n"
  "  const int words = (int)(sizeof operation[0] / sizeof(int)), word = (int)threadIdx.x;\n"
  "  const int watched = args.clock && blockIdx.x == 0 && threadIdx.x == 0;\n"
  "  if (watched)\n"
  "    args.clock[0] = clock64();\n"
  "  if (word < words)\n"
  "    ((int *)&operation[0])[word] = ((const int *)&args.operation[0])[word];\n"
  "  __syncthreads();\n"
  "  for (int n = 0; n < args.operations; n++) {\n"
  "    const struct gmg_tail_operation *const now = &operation[n %% 2];\n"
  "    const int has_next = word < words && n + 1 < args.operations;\n"
  "    const int next = has_next ? ((const int *)&args.operation[n + 1])[word] : 0;\n"
  "    const int thread = word < now->each ? (int)blockIdx.x * now->each + word : 0x7fffffff;\n"
  "    if ((int)blockIdx.x < now->blocks)\n"
  "      gmg_tail_run(now->kernel, &now->args, thread, now->blocks * now->each);\n"
  "    if (has_next)\n"
  "      ((int *)&operation[(n + 1) %% 2])[word] = next;\n"
  "    if (now->wait)\n"
  "      gmg_tail_barrier(args.barrier, gridDim.x);\n"
  "    else\n"
  "      __syncthreads();\n"
  "    if (watched)\n"
  "      args.clock[n + 1] = clock64();\n"
  "  }\n"
  "  if (threadIdx.x == 0 && atomicAdd(args.barrier + 1, 1u) == gridDim.x - 1) {\n"
  "    args.barrier[0] = 0;\n"
  "    args.barrier[1] = 0;\n"
  "  }\n"
  "}\n";

static int by_symbol(const void *a, const void *b)
{
  const struct gmg_cuda_kernel *const *left = a, *const *right = b;
  return strcmp((*left)->symbol, (*right)->symbol);
}

int gmg_tail_place(const struct gmg_device *device, const struct gmg_cuda_kernel *kernel)
{
  for (int n = 0; device->tail && n < device->tail->kernels; n++)
    if (device->tail->kernel[n] == kernel)
      return n;
  return -1;
}

static char *text_of(const struct gmg_tail *tail)
{
  size_t length = sizeof plain_reads + strlen(gmg_cuda_prelude) + sizeof frame_begin + sizeof frame_end + 100;
  for (int n = 0; n < tail->kernels; n++)
    length += strlen(tail->kernel[n]->text) + strlen(tail->kernel[n]->symbol) + sizeof frame_case + 20;
  char *text = malloc(length), *end = text;
  if (!text)
    return NULL;
  end += sprintf(end, "%s%s\n", plain_reads, gmg_cuda_prelude);
  for (int n = 0; n < tail->kernels; n++)
    end += sprintf(end, "%s\n", tail->kernel[n]->text);
  end += sprintf(end, "%s", frame_begin);
  for (int n = 0; n < tail->kernels; n++)
    end += sprintf(end, frame_case, n, tail->kernel[n]->symbol);
  sprintf(end, frame_end, (int)THREADS);
  return text;
}

/* As many thread blocks as run at once. */
static int find_blocks(struct gmg_device *device, struct gmg_tail *tail)
{
  int each = 0;
  if (GMG_DEVICE_TRY(device, cuOccupancyMaxActiveBlocksPerMultiprocessor, &each, tail->function, THREADS, 0))
    return -1;
  tail->blocks = (unsigned)((each < 1 ? each : 1) * device->multiprocessors);
  return tail->blocks > 0 ? 0 : -1;
}

int gmg_tail_plan(struct gmg_device *device, const struct gmg_cuda_kernel *const *kernel, int count,
                  struct gmg_program *program)
{
  struct gmg_tail *tail = calloc(1, sizeof *tail);
  *program = (struct gmg_program){.entry = "gmg_tail"};
  if (!tail)
    return gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "the coarse tail");
  if (device->tail)
    *tail = *device->tail;
  const int before = tail->kernels;
  for (int n = 0; n < count; n++) {
    int known = 0;
    for (int m = 0; m < tail->kernels; m++)
      known |= tail->kernel[m] == kernel[n];
    if (!known && tail->kernels < MOST_KERNELS)
      tail->kernel[tail->kernels++] = kernel[n];
  }
  if (tail->kernels == before) {
    free(tail);
    return 0;
  }
  qsort(tail->kernel, (size_t)tail->kernels, sizeof tail->kernel[0], by_symbol);
  program->text = text_of(tail);
  device->planned_tail = tail;
  return program->text ? 0 : gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "the coarse tail");
}

int gmg_tail_take(struct gmg_device *device, struct gmg_program *program, int failed)
{
  struct gmg_tail *tail = device->planned_tail;
  device->planned_tail = NULL;
  free(program->text);
  if (!tail)
    return failed;
  tail->module = program->module;
  tail->function = program->function;
  failed = failed || find_blocks(device, tail);
  if (failed) {
    if (tail->module)
      device->driver->cuModuleUnload(tail->module);
    free(tail);
    return -1;
  }
  gmg_tail_unload(device);
  device->tail = tail;
  return 0;
}

void gmg_tail_unload(struct gmg_device *device)
{
  if (!device->tail)
    return;
  gmg_queue_forget(device->queue);
  gmg_device_enter(device);
  device->driver->cuModuleUnload(device->tail->module);
  gmg_device_leave(device);
  free(device->tail);
  device->tail = NULL;
}

int gmg_tail_run_length(const struct gmg_device *device, const struct gmg_entry *entry, int entries)
{
  int length = 0;
  while (device->tail && length < entries && entry[length].ready->in_tail)
    length++;
  return length > 1 ? length : 0;
}

static void free_list(struct gmg_device *device, struct gmg_tail_list *list)
{
  if (list->operation)
    device->driver->cuMemFreeHost(list->operation);
  if (list->d_operation)
    device->driver->cuMemFree(list->d_operation);
  if (list->d_clock)
    device->driver->cuMemFree(list->d_clock);
  free(list->scalar);
  free(list);
}

/* One launch as an operation: on one thread block where it is small; else on all of them, each with as few threads as that
 * takes, since a few on every processor are faster than many on a few. */
static struct operation prepare(const struct gmg_tail *tail, const struct gmg_cuda_kernel *kernel,
                                const struct gmg_cuda_args *args)
{
  struct operation operation = {.blocks = 1, .each = THREADS, .wait = WAIT_GRID, .args = *args};
  int64_t threads = kernel->lanes, cells = 1;
  for (int a = 0; a < 3; a++) {
    threads *= gmg_cuda_positions(kernel, args->box.cells, a);
    cells *= args->box.cells[a];
  }
  if ((double)cells * kernel->bytes <= NARROW_BYTES)
    return operation;
  const int64_t warps = (threads + WARP - 1) / WARP, each = WARP * ((warps + tail->blocks - 1) / tail->blocks);
  operation.blocks = (int)tail->blocks;
  operation.each = (int)(each < THREADS ? each : THREADS);
  return operation;
}

/* Boxes of a call do not wait for one another. */
static void fill(const struct gmg_device *device, struct gmg_tail_list *list, const struct gmg_entry *entry)
{
  struct operation *operation = list->operation;
  for (int e = 0; e < list->entries; e++) {
    const struct gmg_ready *ready = entry[e].ready;
    for (int n = 0; n < ready->launches; n++, operation++) {
      *operation = prepare(device->tail, ready->kernel->kernel, &ready->launch[n].args);
      operation->kernel = gmg_tail_place(device, ready->kernel->kernel);
      operation->wait = n + 1 < ready->launches ? WAIT_BLOCK : WAIT_GRID;
      memcpy(operation->args.scalar, entry[e].scalar, sizeof operation->args.scalar);
    }
    memcpy(list->scalar[e], entry[e].scalar, sizeof list->scalar[e]);
  }
  for (int n = 0; n < list->operations; n++)
    if (n + 1 == list->operations || (list->operation[n].blocks == 1 && list->operation[n + 1].blocks == 1))
      list->operation[n].wait = WAIT_BLOCK;
}

struct gmg_tail_list *gmg_tail_list_create(struct gmg_device *device, const struct gmg_entry *entry, int entries)
{
  struct gmg_tail_list *list = calloc(1, sizeof *list);
  if (!list || !(list->scalar = calloc((size_t)entries, sizeof *list->scalar))) {
    gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "the coarse tail");
    free(list);
    return NULL;
  }
  list->entries = entries;
  for (int e = 0; e < entries; e++)
    list->operations += entry[e].ready->launches;
  const size_t bytes = (size_t)list->operations * sizeof *list->operation;
  if (GMG_DEVICE_TRY(device, cuMemHostAlloc, (void **)&list->operation, bytes, 0)
      || GMG_DEVICE_TRY(device, cuMemAlloc, &list->d_operation, bytes + sizeof(unsigned[2]))
      || GMG_DEVICE_TRY(device, cuMemsetD8Async, list->d_operation + bytes, 0, sizeof(unsigned[2]), device->stream)) {
    free_list(device, list);
    return NULL;
  }
  fill(device, list, entry);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation, list->operation, bytes, device->stream);
  list->args = (struct tail_args){list->d_operation, list->d_operation + bytes, 0, list->operations, 0};
  list->argument[0] = &list->args;
  return list;
}

void gmg_tail_list_destroy(struct gmg_device *device, struct gmg_tail_list **list)
{
  if (*list)
    free_list(device, *list);
  *list = NULL;
}

void gmg_tail_list_update(struct gmg_device *device, struct gmg_tail_list *list, const struct gmg_entry *entry)
{
  int differs = 0;
  for (int e = 0; e < list->entries; e++)
    differs |= memcmp(list->scalar[e], entry[e].scalar, sizeof list->scalar[e]) != 0;
  if (!differs)
    return;
  gmg_device_synchronize(device); /* the last run has read the list */
  fill(device, list, entry);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation, list->operation,
                 (size_t)list->operations * sizeof *list->operation, device->stream);
}

void gmg_tail_list_node(const struct gmg_device *device, struct gmg_tail_list *list, CUDA_KERNEL_NODE_PARAMS *node)
{
  *node = (CUDA_KERNEL_NODE_PARAMS){.func = device->tail->function,
                                    .gridDimX = device->tail->blocks,
                                    .gridDimY = 1,
                                    .gridDimZ = 1,
                                    .blockDimX = THREADS,
                                    .blockDimY = 1,
                                    .blockDimZ = 1,
                                    .kernelParams = list->argument};
}

void gmg_tail_list_clock(struct gmg_device *device, struct gmg_tail_list *list)
{
  if (!GMG_DEVICE_TRY(device, cuMemAlloc, &list->d_clock, ((size_t)list->operations + 1) * sizeof(int64_t)))
    list->args.clock = list->d_clock;
}

void gmg_tail_list_times(struct gmg_device *device, const struct gmg_tail_list *list, const struct gmg_entry *entry,
                         double seconds)
{
  const size_t count = (size_t)list->operations + 1;
  int64_t *clock = malloc(count * sizeof *clock);
  if (!clock
      || GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, clock, list->d_clock, count * sizeof *clock, device->stream)) {
    free(clock);
    return;
  }
  gmg_device_synchronize(device);
  const double all = (double)(clock[count - 1] - clock[0]);
  for (int e = 0, n = 0; e < list->entries; n += entry[e++].ready->launches)
    if (all > 0)
      entry[e].ready->stat->seconds += seconds * (double)(clock[n + entry[e].ready->launches] - clock[n]) / all;
  free(clock);
}
