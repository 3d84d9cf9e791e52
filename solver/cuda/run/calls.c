#include "calls.h"

#include "move.h"
#include "newest.h"
#include "queue.h"

#include "runtime/backend.h"
#include "runtime/pass.h"

#include <math.h>
#include <string.h>

/* The host runs the call: its arrays are needed there. */
static void fetch_all(const struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_cuda_fetch(context, call->array[f], call->kernel->field[f].written ? GMG_CHANGE : GMG_READ);
  for (int n = 0; n < call->exchanges; n++)
    for (int f = 0; f < call->kernel->fields; f++)
      if (call->array[f] == call->ghosts[n].to)
        gmg_cuda_fetch(context, call->array[f], GMG_CHANGE);
}

/* The sums begin with the cuts that the host would begin with. */
static void begin_sums(struct gmg_device *device)
{
  *device->sums = (struct gmg_reduction){.most = 0};
  memcpy(device->sums->cut, device->context->reduction[0].cut, sizeof device->sums->cut);
}

int gmg_cuda_move(gmg_context *context, const struct gmg_move *move)
{
  struct gmg_device *device = context->device;
  if (!move->prepared) {
    gmg_cuda_fetch(context, move->from, GMG_READ);
    gmg_cuda_fetch(context, move->to, GMG_CHANGE);
    return 0;
  }
  gmg_newest_on_device(device, move->from, 0);
  gmg_newest_on_device(device, move->to, 1);
  gmg_move_add(device, move->prepared);
  return 1;
}

/* Whether it sweeps u of a level whose ghosts are deep. */
static int sweeps_deep(const struct gmg_call *call)
{
  const struct gmg_move *deep = &call->level->deep[GMG_DEEP_U];
  int has = 0;
  for (int f = 0; f < call->kernel->fields && deep->exchange; f++)
    has |= call->array[f] == deep->to && call->kernel->field[f].written;
  return has && gmg_sweeps_one_colour(call->kernel);
}

static void fill_deep(struct gmg_level *level, enum gmg_deep which)
{
  const struct gmg_move *move = &level->deep[which];
  gmg_move_run(level->context, move);
  move->to->deep = (unsigned char)level->storage->overlap;
}

/* Fills the ghosts that a call reads, where they do not hold what they should. */
static void fill_ghosts(struct gmg_call *call, int sweeps)
{
  for (int n = 0; n < call->exchanges; n++) {
    struct gmg_level_array *array = call->ghosts[n].to;
    if (sweeps && array == call->level->deep[GMG_DEEP_U].to && array->deep <= 1)
      fill_deep(call->level, GMG_DEEP_U);
    else if (array->deep == 0 && !gmg_cuda_move(call->level->context, &call->ghosts[n])) {
      gmg_pass_flush(call->level->context->pass);
      gmg_call_exchange(call, n);
    }
  }
}

/* How many layers of ghosts along z a half-sweep sweeps, too: one less than hold what they should.
 */
static int layers_swept(struct gmg_call *call)
{
  struct gmg_level *level = call->level;
  const int layers = call->kernel->role == GMG_ZERO_FIRST ? level->storage->overlap
                                                          : level->deep[GMG_DEEP_U].to->deep - 1;
  if (layers > level->deep[GMG_DEEP_F].to->deep)
    fill_deep(level, GMG_DEEP_F);
  return layers;
}

int gmg_cuda_run(struct gmg_call *call)
{
  gmg_context *context = call->level->context;
  struct gmg_device *device = context->device;
  if (!call->by_device) {
    fetch_all(call);
    return 0;
  }
  const int sweeps = sweeps_deep(call);
  fill_ghosts(call, sweeps);
  const int layers = sweeps ? layers_swept(call) : 0;
  gmg_call_note(call);
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_newest_on_device(device, call->array[f], call->kernel->field[f].written);
  const int reduces = call->prepared->kernel->kernel->reduces;
  if (reduces)
    begin_sums(device);
  gmg_queue_add(device->queue, gmg_prepared_wide(call->prepared, layers), call->args.scalar,
                reduces);
  if (sweeps)
    call->level->deep[GMG_DEEP_U].to->deep = (unsigned char)layers;
  return 1;
}

/* Prepares the n-th of those planes of every box that are to be looked at; an empty launch where no
 * box has so many. Returns whether that failed. */
static int prepare_planes(struct gmg_call *call, int n, int every, int first)
{
  struct gmg_prepared *prepared = call->prepared;
  prepared->boxes = 0;
  for (int b = 0; b < call->level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &call->args.box[b];
    const int k = (first - box->lower[2] % every + every) % every + n * every;
    if (k >= box->cells[2])
      continue;
    struct gmg_cuda_args args = gmg_prepared_args(call, b);
    gmg_prepared_planes(call->kernel, &args, k, 1); /* what lies along k begins there */
    gmg_prepared_add(prepared, &args);
  }
  return gmg_prepared_renew(call->level->context->device, prepared);
}

static void launch_planes(struct gmg_device *device, const struct gmg_call *call)
{
  struct gmg_cuda_args args = call->prepared->args;
  void *argument[] = {&args};
  CUDA_KERNEL_NODE_PARAMS node;
  memcpy(args.scalar, call->args.scalar, sizeof args.scalar);
  gmg_prepared_node(call->prepared, argument, &node);
  gmg_prepared_launch(device, &node, call->kernel->name);
}

void gmg_cuda_sample(struct gmg_call *call, int every, int first)
{
  struct gmg_device *device = call->level->context->device;
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_newest_on_device(device, call->array[f], call->kernel->field[f].written);
  gmg_queue_flush(device->queue);
  begin_sums(device);
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, device->d_sums, device->sums, sizeof *device->sums,
                 device->stream);
  for (int n = 0; !prepare_planes(call, n, every, first) && call->prepared->boxes > 0; n++)
    launch_planes(device, call);
  gmg_prepared_fill(call->prepared);
  gmg_prepared_renew(device, call->prepared);
  GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, device->sums, device->d_sums, sizeof *device->sums,
                 device->stream);
  gmg_device_leave(device);
}

void gmg_cuda_reduce(gmg_context *context, struct gmg_reduction *total)
{
  struct gmg_device *device = context->device;
  gmg_cuda_wait(context);
  *total = *device->sums;
  if (device->failed)
    total->most = gmg_size(NAN); /* so that the solve ends */
}

void gmg_cuda_wait(gmg_context *context)
{
  gmg_queue_wait(context->device->queue);
}

void gmg_cuda_forget(struct gmg_call *call)
{
  struct gmg_queue *queue = call->level->context->device->queue;
  gmg_queue_flush(queue);
  gmg_queue_forget(queue);
  gmg_prepared_destroy(&call->prepared);
  call->by_device = 0;
}
