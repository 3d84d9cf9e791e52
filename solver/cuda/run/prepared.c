#include "prepared.h"

#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "wisdom.h"

#include <stdlib.h>
#include <string.h>

void gmg_prepared_node(const struct gmg_prepared *prepared, void **argument,
                       CUDA_KERNEL_NODE_PARAMS *node)
{
  *node = (CUDA_KERNEL_NODE_PARAMS){.func = prepared->kernel->function,
                                    .gridDimX = prepared->grid[0],
                                    .gridDimY = prepared->grid[1],
                                    .gridDimZ = prepared->grid[2],
                                    .blockDimX = (unsigned)prepared->shape->block_i,
                                    .blockDimY = (unsigned)prepared->shape->block_j,
                                    .blockDimZ = 1,
                                    .kernelParams = argument};
}

void gmg_prepared_launch(struct gmg_device *device, const CUDA_KERNEL_NODE_PARAMS *node,
                         const char *symbol)
{
  gmg_device_failed(device,
                    device->driver->cuLaunchKernel(node->func, node->gridDimX, node->gridDimY,
                                                   node->gridDimZ, node->blockDimX, node->blockDimY,
                                                   1, node->sharedMemBytes, device->stream,
                                                   node->kernelParams, NULL),
                    "cuLaunchKernel", symbol);
}

void gmg_prepared_destroy(struct gmg_prepared **prepared)
{
  while (*prepared) {
    struct gmg_prepared *wider = (*prepared)->wider;
    free((*prepared)->pass);
    free((*prepared)->record);
    free(*prepared);
    *prepared = wider;
  }
}

int64_t gmg_prepared_bytes(const struct gmg_call *call)
{
  const int boxes = call->level->layout->local_count;
  const size_t bytes = (size_t)boxes * gmg_cuda_record_bytes(call->kernel->cuda);
  return boxes > 1 ? gmg_mirror_aligned((int64_t)bytes) : 0;
}

static struct gmg_cuda_record *record_of(const struct gmg_prepared *prepared, int b)
{
  return (struct gmg_cuda_record *)(void *)(prepared->record + (size_t)b * prepared->record_bytes);
}

void gmg_prepared_add(struct gmg_prepared *prepared, const struct gmg_cuda_args *box)
{
  const int b = prepared->boxes++;
  if (!prepared->record_bytes) {
    prepared->args = *box;
    return;
  }
  struct gmg_cuda_record *record = record_of(prepared, b);
  record->box = box->box;
  memcpy(record->field, box->field, prepared->record_bytes - sizeof *record);
  prepared->args.reduction = box->reduction;
}

struct gmg_cuda_args gmg_prepared_box(const struct gmg_prepared *prepared, int b)
{
  struct gmg_cuda_args args = prepared->args;
  if (!prepared->record_bytes)
    return args;
  const struct gmg_cuda_record *record = record_of(prepared, b);
  args.box = record->box;
  memcpy(args.field, record->field, prepared->record_bytes - sizeof *record);
  return args;
}

void gmg_prepared_shift(struct gmg_prepared *prepared, int b, int field, uint64_t bytes)
{
  struct gmg_cuda_record *record = record_of(prepared, b);
  record->field[field] = (void *)(uintptr_t)((uint64_t)(uintptr_t)record->field[field] + bytes);
}

void gmg_prepared_grid(const struct gmg_prepared *prepared, const struct gmg_cuda_form *form,
                       const struct gmg_cuda_shape *shape, unsigned grid[3], int *each)
{
  const struct gmg_cuda_kernel *kernel = prepared->kernel->kernel;
  *each = 0;
  if (!prepared->record_bytes) {
    gmg_cuda_grid(kernel, form, shape, prepared->args.box.cells, grid);
    return;
  }
  for (int b = 0; b < prepared->boxes; b++) {
    gmg_cuda_grid(kernel, form, shape, record_of(prepared, b)->box.cells, grid);
    const int blocks = (int)(grid[0] * grid[1] * grid[2]);
    *each = blocks > *each ? blocks : *each;
  }
  grid[0] = (unsigned)(*each * prepared->boxes);
  grid[1] = grid[2] = 1;
}

int gmg_prepared_renew(struct gmg_device *device, struct gmg_prepared *prepared)
{
  if (prepared->boxes == 0)
    return 0;
  gmg_prepared_grid(prepared, prepared->kernel->form, prepared->shape, prepared->grid,
                    &prepared->args.each);
  if (!prepared->record_bytes)
    return 0;
  gmg_device_enter(device);
  const int failed = GMG_DEVICE_TRY(
    device, cuMemcpyHtoDAsync, (CUdeviceptr)(uintptr_t)prepared->args.table, prepared->record,
    (size_t)prepared->boxes * prepared->record_bytes, device->stream);
  gmg_device_leave(device);
  return failed;
}

int gmg_prepared_place(struct gmg_device *device, struct gmg_prepared *prepared, CUdeviceptr at)
{
  prepared->args.table = (const void *)(uintptr_t)at; /* of the device */
  return gmg_prepared_renew(device, prepared);
}

struct gmg_cuda_args gmg_prepared_args(const struct gmg_call *call, int b)
{
  const struct gmg_device *device = call->level->context->device;
  struct gmg_cuda_args args = {.box = call->args.box[b],
                               .reduction = (struct gmg_reduction *)(uintptr_t)device->d_sums};
  for (int f = 0; f < call->kernel->fields; f++)
    args.field[f] = gmg_mirror_box(call->array[f], b);
  return args;
}

void gmg_prepared_fill(struct gmg_prepared *prepared)
{
  const struct gmg_call *call = prepared->call;
  prepared->boxes = 0;
  for (int b = 0; b < call->level->layout->local_count; b++) {
    const struct gmg_cuda_args args = gmg_prepared_args(call, b);
    gmg_prepared_add(prepared, &args);
  }
}

/* As wisdom has it, or where that does not compile by default. */
static const struct gmg_loaded *find_loaded(const struct gmg_device *device,
                                            const struct gmg_call *call)
{
  const struct gmg_wanted wanted = gmg_wisdom_wanted(call), usual = gmg_wisdom_usual(call);
  const struct gmg_loaded *loaded = gmg_modules_find_as(device, &wanted);
  return loaded ? loaded : gmg_modules_find_as(device, &usual);
}

struct gmg_prepared *gmg_prepared_create(struct gmg_device *device, const struct gmg_call *call)
{
  const int boxes = call->level->layout->local_count;
  struct gmg_prepared *prepared = calloc(1, sizeof *prepared);
  if (!prepared)
    return NULL;
  prepared->level = call->level;
  prepared->call = call;
  prepared->stat = call->stat;
  prepared->kernel = find_loaded(device, call);
  prepared->shape = &prepared->kernel->shape;
  prepared->traffic = call->traffic;
  prepared->record_bytes = boxes > 1 ? gmg_cuda_record_bytes(call->kernel->cuda) : 0;
  prepared->record = boxes > 1 ? calloc((size_t)boxes, prepared->record_bytes) : NULL;
  if (boxes > 1 && !prepared->record) {
    gmg_prepared_destroy(&prepared);
    return NULL;
  }
  gmg_prepared_fill(prepared);
  return prepared;
}

void gmg_prepared_planes(const struct gmg_kernel_descriptor *kernel, struct gmg_cuda_args *args,
                         int from, int planes)
{
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    const ptrdiff_t bytes = field->kind == GMG_TABLE ? (ptrdiff_t)sizeof(int)
      : field->precision == GMG_F64                  ? (ptrdiff_t)sizeof(double)
                                                     : (ptrdiff_t)sizeof(float);
    const ptrdiff_t step = field->kind == GMG_FIELD ? args->box.stride[1] : field->axis == 2;
    args->field[f] = (char *)args->field[f] + from * step * bytes;
  }
  args->box.cells[2] = planes;
  args->box.lower[2] += from;
}

struct gmg_prepared *gmg_prepared_widen(struct gmg_device *device, const struct gmg_call *call,
                                        int layers)
{
  struct gmg_prepared *prepared = gmg_prepared_create(device, call);
  if (!prepared || prepared->boxes == 0)
    return prepared;
  const int *cells = prepared->args.box.cells, first = prepared->args.box.lower[2],
            low = first > 0 ? layers : 0,
            high = first + cells[2] < call->level->axis[2].cells ? layers : 0;
  prepared->layers = layers;
  gmg_prepared_planes(call->kernel, &prepared->args, -low, cells[2] + low + high);
  return prepared;
}
