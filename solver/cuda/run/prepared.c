#include "prepared.h"

#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "wisdom.h"

#include <stdlib.h>

void gmg_prepared_node(const struct gmg_prepared *prepared, int n, void **argument,
                       CUDA_KERNEL_NODE_PARAMS *node)
{
  const struct gmg_launch *launch = &prepared->launch[n];
  *node = (CUDA_KERNEL_NODE_PARAMS){.func = prepared->kernel->function,
                                    .gridDimX = launch->grid[0],
                                    .gridDimY = launch->grid[1],
                                    .gridDimZ = launch->grid[2],
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
  if (*prepared)
    free((*prepared)->pass);
  free(*prepared);
  *prepared = NULL;
}

struct gmg_prepared *gmg_prepared_create(struct gmg_device *device, const struct gmg_call *call)
{
  const int boxes = call->level->layout->local_count;
  struct gmg_prepared *prepared =
    calloc(1, sizeof *prepared + (size_t)boxes * sizeof prepared->launch[0]);
  if (!prepared)
    return NULL;
  const struct gmg_cuda_kernel *text = call->kernel->cuda;
  prepared->level = call->level;
  prepared->call = call;
  prepared->stat = call->stat;
  const struct gmg_wanted wanted = gmg_wisdom_wanted(call);
  prepared->kernel = gmg_modules_find_as(device, &wanted);
  if (!prepared->kernel) /* what wisdom has does not compile */
    prepared->kernel = gmg_modules_find(device, text);
  prepared->shape = &prepared->kernel->shape;
  prepared->traffic = call->traffic;
  for (int b = 0; b < boxes; b++) {
    struct gmg_launch *launch = &prepared->launch[prepared->launches++];
    launch->args.box = call->args.box[b];
    for (int f = 0; f < call->kernel->fields; f++)
      launch->args.field[f] = gmg_mirror_box(call->array[f], b);
    launch->args.reduction = (struct gmg_reduction *)(uintptr_t)device->d_sums;
    gmg_cuda_grid(text, prepared->shape, launch->args.box.cells, launch->grid);
  }
  return prepared;
}
