#include "ready.h"

#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "tail.h"

#include <stdlib.h>

CUfunction gmg_ready_function(const struct gmg_ready *ready)
{
  return ready->kernel->function;
}

void gmg_ready_node(const struct gmg_ready *ready, int n, void **argument,
                    CUDA_KERNEL_NODE_PARAMS *node)
{
  const struct gmg_launch *launch = &ready->launch[n];
  *node = (CUDA_KERNEL_NODE_PARAMS){.func = gmg_ready_function(ready),
                                    .gridDimX = launch->grid[0],
                                    .gridDimY = launch->grid[1],
                                    .gridDimZ = launch->grid[2],
                                    .blockDimX = (unsigned)ready->shape->block_i,
                                    .blockDimY = (unsigned)ready->shape->block_j,
                                    .blockDimZ = 1,
                                    .kernelParams = argument};
}

void gmg_ready_destroy(struct gmg_ready **ready)
{
  if (*ready)
    free((*ready)->pass);
  free(*ready);
  *ready = NULL;
}

struct gmg_ready *gmg_ready_create(struct gmg_device *device, const struct gmg_call *call)
{
  const int boxes = call->level->layout->local_count;
  struct gmg_ready *ready = calloc(1, sizeof *ready + (size_t)boxes * sizeof ready->launch[0]);
  if (!ready)
    return NULL;
  const struct gmg_cuda_kernel *text = call->kernel->cuda;
  ready->level = call->level;
  ready->call = call;
  ready->stat = call->stat;
  ready->kernel = gmg_modules_find(device, text);
  ready->shape = &text->form[0].shape;
  ready->bytes = call->kernel->bytes * (double)call->level->local_cells;
  ready->traffic = call->traffic;
  for (int b = 0; b < boxes; b++) {
    struct gmg_launch *launch = &ready->launch[ready->launches++];
    launch->args.box = call->args.box[b];
    for (int f = 0; f < call->kernel->fields; f++)
      launch->args.field[f] = gmg_mirror_box(call->array[f], b);
    launch->args.reduction = (struct gmg_reduction *)(uintptr_t)device->d_sums;
    gmg_cuda_grid(text, ready->shape, launch->args.box.cells, launch->grid);
  }
  return ready;
}
