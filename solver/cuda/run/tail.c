#include "tail.h"

#include "cuda/memory/room.h"
#include "tail_text.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 512, WARP = 32, MOST_KERNELS = 64 };
/* So few bytes are faster moved by one thread block than by all with a barrier after, if its
 * threads are not busy for long. */
enum { NARROW_BYTES = 48 << 10, NARROW_THREADS = 2 * THREADS, NARROW_BOXES = 4 };
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
  int entries;                          /* an operation for each */
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

/* What the boxes of an entry ask for: threads for the largest of them, and cells of all. */
struct work {
  int64_t threads, cells;
};

static struct work work_of(const struct gmg_prepared *prepared)
{
  const struct gmg_cuda_kernel *kernel = prepared->kernel->kernel;
  struct work work = {0, 0};
  for (int b = 0; b < prepared->boxes; b++) {
    const struct gmg_cuda_args args = gmg_prepared_box(prepared, b);
    int64_t threads = kernel->lanes, cells = 1;
    for (int a = 0; a < 3; a++) {
      threads *= gmg_cuda_positions(kernel, args.box.cells, a);
      cells *= args.box.cells[a];
    }
    work.threads = threads > work.threads ? threads : work.threads;
    work.cells += cells;
  }
  return work;
}

/* As few warps of a thread block as so many blocks for a box take, since a few threads on every
 * processor are faster than many on a few. */
static int warps_for(int64_t threads, int share)
{
  const int64_t warps = (threads + WARP - 1) / WARP, each = WARP * ((warps + share - 1) / share);
  return (int)(each < THREADS ? each : THREADS);
}

/* An entry as an operation: on one thread block where it is small; else on all of them, which its
 * boxes share. */
static struct gmg_tail_operation prepare(const struct gmg_tail *tail,
                                         const struct gmg_prepared *prepared)
{
  const struct gmg_cuda_kernel *kernel = prepared->kernel->kernel;
  const struct work work = work_of(prepared);
  const int boxes = prepared->boxes, all = (int)tail->blocks;
  struct gmg_tail_operation operation = {.blocks = 1,
                                         .each = THREADS,
                                         .wait = WAIT_GRID,
                                         .boxes = boxes > 1 ? boxes : 0,
                                         .share = 1,
                                         .record_bytes = (int)prepared->record_bytes,
                                         .args = prepared->args};
  if (boxes == 1)
    operation.args = gmg_prepared_box(prepared, 0);
  if ((double)work.cells * kernel->bytes <= NARROW_BYTES && boxes <= NARROW_BOXES
      && boxes * work.threads <= NARROW_THREADS)
    return operation;
  operation.share = boxes < all ? all / boxes : 1;
  operation.blocks = operation.share * (boxes < all ? boxes : all);
  operation.each = warps_for(work.threads, operation.share);
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
  struct gmg_tail_operation *operation = list->operation;
  int since = 0; /* the entry after the last wait */
  for (int e = 0; e < list->entries; e++) {
    int waits = 0;
    for (int before = since; before < e && !waits; before++) {
      const int narrow = operation[before].blocks == 1 && operation[e].blocks == 1;
      waits = !narrow && conflict(entry[before].prepared, entry[e].prepared);
    }
    operation[e].wait = WAIT_BLOCK;
    if (!waits)
      continue;
    operation[e - 1].wait = WAIT_GRID;
    since = e;
  }
}

static void set_scalars(struct gmg_tail_list *list, const struct gmg_entry *entry)
{
  for (int e = 0; e < list->entries; e++) {
    memcpy(list->operation[e].args.scalar, entry[e].scalar, sizeof entry[e].scalar);
    memcpy(list->scalar[e], entry[e].scalar, sizeof list->scalar[e]);
  }
}

static void fill(const struct gmg_device *device, struct gmg_tail_list *list,
                 const struct gmg_entry *entry)
{
  for (int e = 0; e < list->entries; e++) {
    struct gmg_tail_operation *operation = &list->operation[e];
    *operation = prepare(device->tail, entry[e].prepared);
    operation->kernel = gmg_tail_place(device, entry[e].prepared->kernel->kernel);
  }
  set_waits(list, entry);
  set_scalars(list, entry);
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
  const size_t bytes = (size_t)list->entries * sizeof *list->operation;
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
                                      .operations = list->entries,
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
  if (place_list(device, list))
    return NULL;
  fill(device, list, entry);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation, list->operation,
                 (size_t)list->entries * sizeof *list->operation, device->stream);
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
  set_scalars(list, entry);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, list->d_operation, list->operation,
                 (size_t)list->entries * sizeof *list->operation, device->stream);
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
                      ((size_t)list->entries + 1) * sizeof(int64_t)))
    list->args.clock = list->d_clock;
}

void gmg_tail_list_times(struct gmg_device *device, const struct gmg_tail_list *list,
                         const struct gmg_entry *entry, double seconds)
{
  const size_t count = (size_t)list->entries + 1;
  int64_t *clock = malloc(count * sizeof *clock);
  if (!clock
      || GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, clock, list->d_clock, count * sizeof *clock,
                        device->stream)) {
    free(clock);
    return;
  }
  gmg_device_synchronize(device);
  const double all = (double)(clock[count - 1] - clock[0]);
  for (int e = 0; e < list->entries && all > 0; e++)
    entry[e].prepared->stat->seconds += seconds * (double)(clock[e + 1] - clock[e]) / all;
  free(clock);
}
