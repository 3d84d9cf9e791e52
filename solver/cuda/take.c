/* What calls and moves do where the levels are on the device. */
#include "mirror.h"
#include "move.h"
#include "queue.h"

#include "../openmp/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The host runs the call: its arrays are needed there. */
static void fetch_all(const struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_device_fetch(context, call->array[f], call->kernel->field[f].written ? GMG_CHANGE : GMG_READ);
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
  if (call->ready) {
    gmg_queue_flush(context->device->queue);
    gmg_queue_forget(context->device->queue);
  }
  free(call->ready);
  call->ready = NULL;
}
