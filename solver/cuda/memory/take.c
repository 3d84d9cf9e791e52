/* What calls and moves do where the levels are on the device. */
#include "mirror.h"
#include "cuda/run/move.h"
#include "cuda/run/queue.h"

#include "runtime/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The host runs the call: its arrays are needed there. */
static void fetch_all(const struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_device_fetch(context, call->array[f],
                     call->kernel->field[f].written ? GMG_CHANGE : GMG_READ);
  for (int n = 0; n < call->exchanges; n++)
    for (int f = 0; f < call->kernel->fields; f++)
      if (call->array[f] == call->ghosts[n].to)
        gmg_device_fetch(context, call->array[f], GMG_CHANGE);
}

/* The sums begin with the cuts that the host would begin with. */
static void begin_sums(struct gmg_device *device)
{
  *device->sums = (struct gmg_reduction){.most = 0};
  memcpy(device->sums->cut, device->context->reduction[0].cut, sizeof device->sums->cut);
}

int gmg_device_move(gmg_context *context, const struct gmg_move *move)
{
  struct gmg_device *device = context->device;
  if (!move->ready) {
    gmg_device_fetch(context, move->from, GMG_READ);
    gmg_device_fetch(context, move->to, GMG_CHANGE);
    return 0;
  }
  gmg_mirror_need(device, move->from, 0);
  gmg_mirror_need(device, move->to, 1);
  gmg_move_add(device, move->ready);
  return 1;
}

int gmg_device_take(struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  struct gmg_device *device = context->device;
  if (!call->ready) {
    fetch_all(call);
    return 0;
  }
  for (int n = 0; n < call->exchanges; n++)
    if (!gmg_device_move(context, &call->ghosts[n])) {
      gmg_pass_flush(context->pass);
      gmg_call_exchange(call, n);
    }
  gmg_call_note(call);
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_mirror_need(device, call->array[f], call->kernel->field[f].written);
  const int reduces = call->ready->kernel->kernel->reduces;
  if (reduces)
    begin_sums(device);
  gmg_queue_add(device->queue, call->ready, call->args.scalar, reduces);
  return 1;
}

/* The arguments of a call on plane k of a box alone: what lies along k begins there. */
static struct gmg_cuda_args at_plane(const struct gmg_call *call, const struct gmg_launch *launch,
                                     int k)
{
  struct gmg_cuda_args args = launch->args;
  for (int f = 0; f < call->kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &call->kernel->field[f];
    const size_t bytes = field->kind == GMG_TABLE ? sizeof(int)
      : field->precision == GMG_F64               ? sizeof(double)
                                                  : sizeof(float);
    const ptrdiff_t step = field->kind == GMG_FIELD ? launch->args.box.stride[1] : field->axis == 2;
    args.field[f] = (char *)args.field[f] + k * step * (ptrdiff_t)bytes;
  }
  memcpy(args.scalar, call->args.scalar, sizeof args.scalar);
  args.box.cells[2] = 1;
  args.box.lower[2] += k;
  return args;
}

void gmg_device_sample(struct gmg_call *call, int every, int first)
{
  struct gmg_device *device = call->level->context->device;
  const struct gmg_ready *ready = call->ready;
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_mirror_need(device, call->array[f], call->kernel->field[f].written);
  gmg_queue_flush(device->queue);
  begin_sums(device);
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, device->d_sums, device->sums, sizeof *device->sums,
                 device->stream);
  for (int n = 0; n < ready->launches; n++)
    for (int k = 0; k < ready->launch[n].args.box.cells[2]; k++) {
      if ((ready->launch[n].args.box.lower[2] + k) % every != first)
        continue;
      struct gmg_cuda_args args = at_plane(call, &ready->launch[n], k);
      void *argument[] = {&args};
      unsigned grid[3];
      gmg_cuda_grid(ready->kernel->kernel, ready->shape, args.box.cells, grid);
      GMG_DEVICE_TRY(device, cuLaunchKernel, gmg_ready_function(ready), grid[0], grid[1], grid[2],
                     (unsigned)ready->shape->block_i, (unsigned)ready->shape->block_j, 1, 0,
                     device->stream, argument, NULL);
    }
  GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, device->sums, device->d_sums, sizeof *device->sums,
                 device->stream);
  gmg_device_leave(device);
}

void gmg_device_sums(gmg_context *context, struct gmg_reduction *total)
{
  struct gmg_device *device = context->device;
  gmg_device_wait(context);
  *total = *device->sums;
  if (device->failed)
    total->most = gmg_size(NAN); /* so that the solve ends */
}

void gmg_device_wait(gmg_context *context)
{
  struct gmg_device *device = context->device;
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  gmg_device_synchronize(device);
  gmg_device_leave(device);
}

void gmg_device_forget(struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  if (call->ready || call->kept) {
    gmg_queue_flush(context->device->queue);
    gmg_queue_forget(context->device->queue);
  }
  gmg_ready_destroy(&call->ready);
  gmg_ready_destroy(&call->kept);
}
