#include "look.h"

#include "blocks.h"
#include "caller.h"
#include "cuda/runtime/modules.h"
#include "queue.h"
#include "runtime/binned.h"

#include <string.h>

/* The kernel's default form for one box; NULL with the device's message. */
static const struct gmg_loaded *load(struct gmg_device *device,
                                     const struct gmg_cuda_kernel *kernel, int cached)
{
  const struct gmg_wanted wanted = gmg_modules_default(kernel, 0);
  struct gmg_program none = {.text = NULL};
  int counts[2] = {0, 0};
  const struct gmg_loaded *loaded = gmg_modules_find_as(device, &wanted);
  if (loaded)
    return loaded;
  device->way.cached = cached;
  gmg_device_enter(device);
  const int failed = gmg_modules_load(device, &wanted, 1, &none, &counts[0], &counts[1]);
  gmg_device_leave(device);
  return failed ? NULL : gmg_modules_find_as(device, &wanted);
}

static int run(struct gmg_device *device, const struct gmg_loaded *loaded,
               const struct gmg_look *look)
{
  struct gmg_cuda_args args = {.box = {.stride = {look->stride[1], look->stride[2]}},
                               .reduction = (struct gmg_reduction *)(uintptr_t)device->d_sums,
                               .field = {(void *)(uintptr_t)look->values}};
  void *argument[] = {&args};
  unsigned grid[3];
  memcpy(args.box.cells, look->cells, sizeof args.box.cells);
  memcpy(args.scalar, look->scalar, sizeof look->scalar);
  gmg_cuda_grid(loaded->kernel, loaded->form, &loaded->shape, look->cells, grid);
  const CUDA_KERNEL_NODE_PARAMS node = {.func = loaded->function,
                                        .gridDimX = grid[0],
                                        .gridDimY = grid[1],
                                        .gridDimZ = grid[2],
                                        .blockDimX = (unsigned)loaded->shape.block_i,
                                        .blockDimY = (unsigned)loaded->shape.block_j,
                                        .blockDimZ = 1,
                                        .kernelParams = argument};
  struct gmg_binned terms =
    gmg_binned_of((int64_t)look->cells[0] * look->cells[1] * look->cells[2]);
  terms.exponent = 1; /* what is counted is at most 1 */
  *device->sums = (struct gmg_reduction){.most = 0};
  gmg_binned_cuts(&terms, device->sums->cut);
  int failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, device->d_sums, device->sums,
                              sizeof *device->sums, device->stream);
  if (!failed)
    gmg_prepared_launch(device, &node, loaded->kernel->symbol);
  failed = failed
    || GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, device->sums, device->d_sums, sizeof *device->sums,
                      device->stream);
  gmg_device_synchronize(device);
  return failed || device->failed;
}

int gmg_cuda_look(gmg_context *context, const struct gmg_look *look, double *most, double *count)
{
  struct gmg_device *device = context->device;
  const struct gmg_cuda_kernel *kernel = gmg_block_kernel(look->kernel, GMG_F64, 0);
  *most = *count = 0;
  for (int d = 0; d < 3; d++)
    if (look->cells[d] <= 0)
      return 1;
  if (!kernel || (look->stride[0] != 1 && look->cells[0] > 1))
    return 0;
  const struct gmg_loaded *loaded = load(device, kernel, look->cache_kernels);
  if (!loaded)
    return 0;
  gmg_caller_await(device, look->stream);
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  const int failed = run(device, loaded, look);
  gmg_device_leave(device);
  *most = gmg_sized(device->sums->most);
  *count = gmg_binned_value(device->sums);
  return !failed;
}
