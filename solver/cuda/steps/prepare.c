#include "prepare.h"

#include "apart.h"

#include "cuda/memory/mirror.h"
#include "cuda/run/blocks.h"
#include "cuda/run/move.h"
#include "cuda/run/peers.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/signals.h"
#include "mesh/exchange_plan.h"

#include <stdlib.h>

const struct gmg_cuda_kernel *gmg_steps_mover(const struct gmg_stepping *s, const char *name)
{
  const int single = s->storage->element_bytes == sizeof(float);
  return gmg_block_kernel(name, single ? GMG_F32 : GMG_F64, 0);
}

struct gmg_launch *gmg_steps_finish(struct gmg_stepping *s, struct gmg_launch *launch)
{
  struct gmg_prepared *prepared = launch->prepared;
  const int64_t bytes = (int64_t)((size_t)prepared->boxes * prepared->record_bytes);
  const CUdeviceptr at = bytes ? gmg_placed_piece(s, bytes) : 0;
  if (bytes && !at)
    gmg_device_failed(s->device, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", "a launch");
  if ((bytes && !at) || gmg_prepared_place(s->device, prepared, at)) {
    gmg_prepared_destroy(&prepared);
    return NULL;
  }
  return gmg_placed_add(s, launch);
}

static double traffic_of(const struct gmg_kernel_launch *launch, int boxes)
{
  double cells = 0;
  for (int b = 0; b < boxes; b++)
    cells += (double)launch->box[b].cells[0] * launch->box[b].cells[1] * launch->box[b].cells[2];
  return cells * launch->kernel->bytes;
}

struct gmg_launch *gmg_steps_kernel(struct gmg_stepping *s, const struct gmg_kernel_launch *l)
{
  const int boxes = s->storage->layout->local_count, fields = l->kernel->fields,
            many = gmg_placed_many(s);
  const struct gmg_cuda_kernel *kernel = l->kernel->cuda;
  struct gmg_prepared *prepared = calloc(1, sizeof *prepared);
  struct gmg_launch launch = {
    .prepared = prepared, .scalars = l->kernel->scalars, .arrays = fields};
  if (prepared) {
    prepared->level = &s->placed->level;
    prepared->stat = &s->placed->kernels;
    prepared->kernel = gmg_modules_find(s->device, kernel, many);
    prepared->descriptor = l->kernel;
    prepared->shape = &prepared->kernel->shape;
    prepared->traffic = traffic_of(l, boxes);
    prepared->record_bytes = many ? gmg_cuda_record_bytes(kernel) : 0;
    prepared->record = many ? calloc((size_t)boxes, prepared->record_bytes) : NULL;
  }
  if (!prepared || (many && !prepared->record)) {
    gmg_device_failed(s->device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", l->kernel->name);
    if (prepared)
      gmg_prepared_destroy(&prepared);
    return NULL;
  }
  for (int f = 0; f < fields; f++) {
    launch.array[f] = l->array[f];
    launch.written[f] = l->kernel->field[f].written;
  }
  for (int b = 0; b < boxes; b++) {
    struct gmg_cuda_args args = {.box = l->box[b],
                                 .reduction = (struct gmg_reduction *)(uintptr_t)s->device->d_sums};
    for (int f = 0; f < fields; f++)
      args.field[f] = (char *)gmg_placed_element(s, l->array[f], b)
        + l->shift[b] * (ptrdiff_t)s->storage->element_bytes;
    gmg_prepared_add(prepared, &args);
  }
  return gmg_steps_finish(s, &launch);
}

struct gmg_launch *gmg_steps_exchange(struct gmg_stepping *s, struct gmg_exchange *exchange,
                                      int array)
{
  struct gmg_level_array *own = &s->array[array];
  struct gmg_launch launch = {.array = {array}, .written = {1}, .arrays = 1};
  launch.move = gmg_move_find(&s->placed->placement, exchange, own, own);
  if (!launch.move) {
    gmg_device_failed(s->device, CUDA_ERROR_NOT_SUPPORTED, "cuLaunchKernel", "an exchange");
    return NULL;
  }
  return gmg_placed_add(s, &launch);
}

static int most_messages(const struct gmg_stepping *s)
{
  int most = 0;
  for (const struct gmg_launch *l = s->placed->launch; l; l = l->next) {
    const struct gmg_exchange *e = l->move ? l->move->exchange : NULL;
    if (e && e->sends + e->receives > most)
      most = e->sends + e->receives;
  }
  return most;
}

void gmg_steps_meet(struct gmg_stepping *s)
{
  const struct gmg_comm *comm = &s->context->comm;
  s->messages = s->by_peers = 0;
  for (struct gmg_launch *l = s->placed->launch; l; l = l->next)
    s->messages += l->move ? l->move->exchange->receives : 0;
  if (s->options.direct_messages || !s->options.messages_by_device || comm->ranks == 1)
    return;
  gmg_signals_choose(s->device);
  struct gmg_meeting *meeting = gmg_meeting_create(most_messages(s));
  int missing = !meeting;
  const int error = gmg_comm_max_int(&s->context->comm, &missing, 1);
  for (struct gmg_launch *l = s->placed->launch; l && !error && !missing; l = l->next)
    if (l->move)
      s->by_peers += gmg_peers_meet(s->device, meeting, l->move->exchange, l->move);
  gmg_meeting_destroy(&meeting);
  gmg_steps_mark(s);
}
