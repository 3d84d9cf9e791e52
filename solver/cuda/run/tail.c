#include "tail.h"

#include "cuda/memory/room.h"
#include "tail_text.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 512, WARP = 32, MOST_KERNELS = 64 };
/* So few bytes are faster moved by one thread block than by all with a barrier after, if its
 * threads are not busy for long. */
enum { NARROW_BYTES = 48 << 10, NARROW_THREADS = 2 * THREADS };
enum {
  AHEAD_BYTES = 1 << 20, /* of an array that is asked for before its turn comes */
  GAP_BYTES = 1 << 20    /* between two of them that are asked for at once */
};
enum wait { WAIT_BLOCK, WAIT_GRID }; /* after an operation */

_Static_assert(sizeof(struct gmg_tail_operation) <= THREADS * sizeof(int),
               "a word of an operation for every thread");

struct gmg_tail {
  const struct gmg_cuda_kernel *kernel[MOST_KERNELS];
  int kernels;
  unsigned blocks;
  CUmodule module;
  CUfunction function;
};

struct gmg_tail_list {
  int entries, operations;
  struct gmg_tail_operation *operation; /* in page-locked memory */
  int ranges;
  struct gmg_tail_range *range;      /* what is asked for before its turn comes */
  double (*scalar)[GMG_MAX_SCALARS]; /* by entry, as they were last */
  CUdeviceptr d_operation, d_clock;
  struct gmg_tail_args args;
  void *argument[1];
};

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

/* As many thread blocks as run at once. */
static int find_blocks(struct gmg_device *device, struct gmg_tail *tail)
{
  int each = 0;
  if (GMG_DEVICE_TRY(device, cuOccupancyMaxActiveBlocksPerMultiprocessor, &each, tail->function,
                     THREADS, 0))
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
  program->text = gmg_tail_text(tail->kernel, tail->kernels, THREADS);
  device->planned_tail = tail;
  return program->text
    ? 0
    : gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "the coarse tail");
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
  gmg_device_enter(device);
  device->driver->cuModuleUnload(device->tail->module);
  gmg_device_leave(device);
  free(device->tail);
  device->tail = NULL;
}

int gmg_tail_run_length(const struct gmg_device *device, const struct gmg_entry *entry, int entries)
{
  int length = 0;
  while (device->tail && length < entries && entry[length].prepared->in_tail)
    length++;
  return length > 1 ? length : 0;
}

/* One launch as an operation: on one thread block where it is small; else on all of them, each with
 * as few threads as that takes, since a few on every processor are faster than many on a few. */
static struct gmg_tail_operation prepare(const struct gmg_tail *tail,
                                         const struct gmg_cuda_kernel *kernel,
                                         const struct gmg_cuda_args *args)
{
  struct gmg_tail_operation operation = {
    .blocks = 1, .each = THREADS, .wait = WAIT_GRID, .args = *args};
  int64_t threads = kernel->lanes, cells = 1;
  for (int a = 0; a < 3; a++) {
    threads *= gmg_cuda_positions(kernel, args->box.cells, a);
    cells *= args->box.cells[a];
  }
  if ((double)cells * kernel->bytes <= NARROW_BYTES && threads <= NARROW_THREADS)
    return operation;
  const int64_t warps = (threads + WARP - 1) / WARP,
                each = WARP * ((warps + tail->blocks - 1) / tail->blocks);
  operation.blocks = (int)tail->blocks;
  operation.each = (int)(each < THREADS ? each : THREADS);
  return operation;
}

/* Whether one of two calls writes what the other one reads or writes. */
static int conflict(const struct gmg_prepared *a, const struct gmg_prepared *b)
{
  if (!a->call || !b->call)
    return 1;
  for (int f = 0; f < a->call->kernel->fields; f++)
    for (int g = 0; g < b->call->kernel->fields; g++)
      if (a->call->array[f]->mirror.at == b->call->array[g]->mirror.at
          && (a->call->kernel->field[f].written || b->call->kernel->field[g].written))
        return 1;
  return 0;
}

/* Where thread blocks wait for each other: in front of an operation of a call that needs what was
 * done since the last such place, unless one thread block did it and does this. Boxes of a call do
 * not wait for one another. */
static void set_waits(struct gmg_tail_list *list, const struct gmg_entry *entry)
{
  int since = 0, first = 0; /* the entry after the last wait, and its first operation */
  for (int e = 0, at = 0; e < list->entries; at += entry[e++].prepared->launches) {
    int waits = 0;
    for (int before = since, from = first; before < e && !waits;
         from += entry[before++].prepared->launches) {
      int narrow = 1;
      for (int n = 0; n < entry[before].prepared->launches; n++)
        narrow &= list->operation[from + n].blocks == 1;
      for (int n = 0; n < entry[e].prepared->launches; n++)
        narrow &= list->operation[at + n].blocks == 1;
      waits = !narrow && conflict(entry[before].prepared, entry[e].prepared);
    }
    for (int n = 0; n < entry[e].prepared->launches; n++)
      list->operation[at + n].wait = WAIT_BLOCK;
    if (!waits)
      continue;
    list->operation[at - 1].wait = WAIT_GRID;
    since = e;
    first = at;
  }
}

static void fill(const struct gmg_device *device, struct gmg_tail_list *list,
                 const struct gmg_entry *entry)
{
  struct gmg_tail_operation *operation = list->operation;
  for (int e = 0; e < list->entries; e++) {
    const struct gmg_prepared *prepared = entry[e].prepared;
    for (int n = 0; n < prepared->launches; n++, operation++) {
      *operation = prepare(device->tail, prepared->kernel->kernel, &prepared->launch[n].args);
      operation->kernel = gmg_tail_place(device, prepared->kernel->kernel);
      memcpy(operation->args.scalar, entry[e].scalar, sizeof operation->args.scalar);
    }
    memcpy(list->scalar[e], entry[e].scalar, sizeof list->scalar[e]);
  }
  set_waits(list, entry);
}

static int by_place(const void *a, const void *b)
{
  const struct gmg_tail_range *left = a, *right = b;
  return (left->first > right->first) - (left->first < right->first);
}

/* Those near one another in memory that was taken at once become one. */
static void merge_ranges(struct gmg_device *device, struct gmg_tail_list *list)
{
  struct gmg_tail_range *last = NULL;
  CUdeviceptr base = 0;
  size_t taken = 0;
  for (int n = 0; n < list->ranges; n++) {
    const struct gmg_tail_range range = list->range[n];
    const uint64_t end = range.first + range.bytes;
    if (last && end <= base + taken && range.first <= last->first + last->bytes + GAP_BYTES) {
      last->bytes = end > last->first + last->bytes ? end - last->first : last->bytes;
      continue;
    }
    last = last ? last + 1 : list->range;
    *last = range;
    if (GMG_DEVICE_TRY(device, cuMemGetAddressRange, &base, &taken, range.first))
      break;
  }
  list->ranges = last ? (int)(last - list->range) + 1 : 0;
}

/* What the calls read of small arrays. Returns -1 out of memory. */
static int find_ranges(struct gmg_device *device, struct gmg_tail_list *list,
                       const struct gmg_entry *entry)
{
  int most = 0;
  for (int e = 0; e < list->entries; e++)
    most += entry[e].prepared->call ? entry[e].prepared->call->kernel->fields : 0;
  list->range = gmg_rooms_host(device, ((size_t)most + 1) * sizeof *list->range);
  if (!list->range)
    return -1;
  for (int e = 0; e < list->entries; e++) {
    const struct gmg_call *call = entry[e].prepared->call;
    for (int f = 0; call && f < call->kernel->fields; f++)
      if (call->kernel->field[f].read && call->array[f]->bytes <= AHEAD_BYTES)
        list->range[list->ranges++] =
          (struct gmg_tail_range){call->array[f]->mirror.at, call->array[f]->bytes};
  }
  qsort(list->range, (size_t)list->ranges, sizeof *list->range, by_place);
  merge_ranges(device, list);
  return 0;
}

/* Behind one another on the device: the operations, what is asked for, the barrier's counters. */
static int place_list(struct gmg_device *device, struct gmg_tail_list *list)
{
  const size_t bytes = (size_t)list->operations * sizeof *list->operation;
  const size_t range_bytes = (size_t)list->ranges * sizeof *list->range, all = bytes + range_bytes;
  list->operation = gmg_rooms_locked(device, bytes);
  list->d_operation = gmg_rooms_device(device, all + sizeof(unsigned[2]));
  if (!list->operation || !list->d_operation
      || GMG_DEVICE_TRY(device, cuMemsetD8Async, list->d_operation + all, 0, sizeof(unsigned[2]),
                        device->stream)
      || (range_bytes > 0
          && GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation + bytes, list->range,
                            range_bytes, device->stream)))
    return -1;
  list->args = (struct gmg_tail_args){.operation = list->d_operation,
                                      .barrier = list->d_operation + all,
                                      .range = list->d_operation + bytes,
                                      .operations = list->operations,
                                      .ranges = list->ranges};
  return 0;
}

struct gmg_tail_list *gmg_tail_list_create(struct gmg_device *device, const struct gmg_entry *entry,
                                           int entries)
{
  struct gmg_tail_list *list = gmg_rooms_host(device, sizeof *list);
  if (list) {
    list->entries = entries;
    list->scalar = gmg_rooms_host(device, (size_t)entries * sizeof *list->scalar);
  }
  if (!list || !list->scalar || find_ranges(device, list, entry))
    return NULL;
  for (int e = 0; e < entries; e++)
    list->operations += entry[e].prepared->launches;
  if (place_list(device, list))
    return NULL;
  fill(device, list, entry);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation, list->operation,
                 (size_t)list->operations * sizeof *list->operation, device->stream);
  list->argument[0] = &list->args;
  return list;
}

void gmg_tail_list_destroy(struct gmg_device *device, struct gmg_tail_list **list)
{
  if (*list && (*list)->d_clock)
    GMG_DEVICE_TRY(device, cuMemFree, (*list)->d_clock);
  *list = NULL;
}

void gmg_tail_list_update(struct gmg_device *device, struct gmg_tail_list *list,
                          const struct gmg_entry *entry)
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

void gmg_tail_list_node(const struct gmg_device *device, struct gmg_tail_list *list,
                        CUDA_KERNEL_NODE_PARAMS *node)
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
  if (!GMG_DEVICE_TRY(device, cuMemAlloc, &list->d_clock,
                      ((size_t)list->operations + 1) * sizeof(int64_t)))
    list->args.clock = list->d_clock;
}

void gmg_tail_list_times(struct gmg_device *device, const struct gmg_tail_list *list,
                         const struct gmg_entry *entry, double seconds)
{
  const size_t count = (size_t)list->operations + 1;
  int64_t *clock = malloc(count * sizeof *clock);
  if (!clock
      || GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, clock, list->d_clock, count * sizeof *clock,
                        device->stream)) {
    free(clock);
    return;
  }
  gmg_device_synchronize(device);
  const double all = (double)(clock[count - 1] - clock[0]);
  for (int e = 0, n = 0; e < list->entries; n += entry[e++].prepared->launches)
    if (all > 0)
      entry[e].prepared->stat->seconds +=
        seconds * (double)(clock[n + entry[e].prepared->launches] - clock[n]) / all;
  free(clock);
}
