#include "steps.h"

#include "cuda/memory/mirror.h"
#include "cuda/memory/room.h"
#include "cuda/run/move.h"
#include "cuda/run/newest.h"
#include "cuda/run/queue.h"
#include "cuda/runtime/modules.h"
#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 64 };

/* ---- what it takes ---- */

/* Whether a box has more elements than kernels count, in 32 bits; then why says so. */
static int is_too_large(const struct gmg_stepping *s, char *why, size_t size)
{
  const struct gmg_storage *storage = s->storage;
  for (int b = 0; b < storage->layout->local_count; b++) {
    const struct gmg_box *box = &storage->layout->box[storage->layout->local[b]];
    const int64_t planes = box->upper[2] - box->lower[2] + 2 * (int64_t)storage->ghost,
                  elements = (int64_t)storage->stride[b][1] * planes;
    if (elements <= INT32_MAX)
      continue;
    snprintf(why, size,
             "a box has %lld values an array, more than the %d that kernels for GPUs count: take "
             "more ranks, or smaller boxes",
             (long long)elements, INT32_MAX);
    return 1;
  }
  return 0;
}

static int64_t bytes_of_arrays(const struct gmg_stepping *s)
{
  int64_t bytes = 0;
  for (int a = 0; a < s->arrays; a++)
    bytes += gmg_mirror_bytes(&s->array[a]);
  return bytes;
}

static int predict(struct gmg_stepping *s, struct gmg_device_room *room, char *why, size_t size)
{
  int64_t all;
  if (s->kernels > MOST_KERNELS) {
    snprintf(why, size, "it has %d kernels, and there may be %d", s->kernels, MOST_KERNELS);
    return -1;
  }
  for (int k = 0; k < s->kernels; k++)
    if (!s->kernel[k]->cuda || s->kernel[k]->cuda->forms < 1) {
      snprintf(why, size, "its kernel %s was made without a form for GPUs", s->kernel[k]->name);
      return -1;
    }
  if (is_too_large(s, why, size))
    return -1;
  gmg_mirror_room(s->device, &room->available, &all);
  room->needed = bytes_of_arrays(s) + gmg_rooms_wanted(s->device);
  room->devices = s->device->count;
  return 0;
}

/* ---- memory and kernels ---- */

static int take_arrays(struct gmg_stepping *s)
{
  struct gmg_placed_steps *placed = s->placed;
  const int64_t bytes = bytes_of_arrays(s);
  placed->arrays = gmg_mirror_take(s->device, bytes);
  if (!placed->arrays)
    return -1;
  s->bytes += bytes;
  for (int a = 0; a < s->arrays; a++) {
    s->array[a].mirror.at = gmg_mirror_piece(placed->arrays, (int64_t)s->array[a].bytes);
    s->array[a].mirror.newer = GMG_NEWER_HOST;
  }
  return 0;
}

static int load(struct gmg_stepping *s)
{
  static const char *const mover[] = {"move", "reflect"}; /* exchanges, walls */
  enum { MOVERS = sizeof mover / sizeof *mover };
  struct gmg_wanted wanted[MOST_KERNELS + MOVERS];
  struct gmg_program none = {.text = NULL};
  int count = 0;
  const int many = gmg_placed_many(s);
  for (int k = 0; k < s->kernels; k++)
    wanted[count++] = gmg_modules_default(s->kernel[k]->cuda, many);
  for (int m = 0; m < MOVERS; m++)
    if (gmg_steps_mover(s, mover[m]))
      wanted[count++] = gmg_modules_default(gmg_steps_mover(s, mover[m]), 1);
  s->device->way.cached = s->options.cache_kernels;
  gmg_device_enter(s->device);
  const int failed = gmg_modules_load(s->device, wanted, count, &none, &s->compiled, &s->cached);
  gmg_device_leave(s->device);
  return failed;
}

static int attach(struct gmg_stepping *s)
{
  struct gmg_placed_steps *placed = s->placed = calloc(1, sizeof *placed);
  if (!placed)
    return -1;
  placed->last = &placed->launch;
  placed->level.context = s->context;
  placed->levels[0] = &placed->level;
  placed->placement = (struct gmg_placement){.context = s->context,
                                             .backend = s->backend,
                                             .device = s->device,
                                             .options = s->options,
                                             .cycle = {placed->levels}};
  const int failed = gmg_rooms_open(s->device) || load(s) || take_arrays(s);
  gmg_queue_set_mode(s->device->queue, s->options.timed ? GMG_QUEUE_TIMED : GMG_QUEUE_GRAPHS);
  return failed || s->device->failed ? -1 : 0;
}

static void detach(struct gmg_stepping *s, enum gmg_keep keep)
{
  struct gmg_placed_steps *placed = s->placed;
  if (!placed)
    return;
  gmg_queue_wait(s->device->queue);
  gmg_queue_forget(s->device->queue);
  for (struct gmg_launch *l = placed->launch; l; l = placed->launch) {
    placed->launch = l->next;
    if (l->prepared)
      gmg_prepared_destroy(&l->prepared);
    free(l);
  }
  gmg_moves_destroy(&placed->placement);
  for (int a = 0; a < s->arrays; a++) {
    if (keep == GMG_KEEP_ALL)
      gmg_cuda_fetch(s->context, &s->array[a], GMG_READ);
    s->array[a].mirror = (struct gmg_mirror){.at = 0};
  }
  gmg_mirror_release(s->device, &placed->arrays);
  gmg_mirror_release(s->device, &placed->tables);
  free(placed);
  s->placed = NULL;
  s->bytes = 0;
}

/* ---- steps ---- */

static void add(struct gmg_stepping *s, struct gmg_launch *launch, const double *scalar,
                int reduces)
{
  double scalars[GMG_MAX_SCALARS] = {0};
  for (int a = 0; a < launch->arrays; a++)
    gmg_newest_on_device(s->device, &s->array[launch->array[a]], launch->written[a]);
  if (!launch->prepared) {
    gmg_move_add(s->device, launch->move);
    return;
  }
  if (launch->scalars)
    memcpy(scalars, scalar, (size_t)launch->scalars * sizeof *scalars);
  gmg_queue_add(s->device->queue, launch->prepared,
                launch->scalars ? scalars : launch->prepared->args.scalar, reduces);
}

static void run(struct gmg_stepping *s, struct gmg_launch *launch, const double *scalar)
{
  add(s, launch, scalar, 0);
}

static void reduce(struct gmg_stepping *s, struct gmg_launch *launch, const double *scalar,
                   struct gmg_reduction *found)
{
  *s->device->sums = *found;
  add(s, launch, scalar, 1);
  gmg_queue_wait(s->device->queue);
  *found = *s->device->sums;
  if (s->device->failed)
    found->most = gmg_size(NAN);
}

static void *lend(struct gmg_stepping *s, int array, int box, int written)
{
  gmg_newest_on_device(s->device, &s->array[array], written);
  return gmg_placed_element(s, array, box);
}

static void flush(struct gmg_stepping *s)
{
  gmg_queue_flush(s->device->queue);
  s->kernel_seconds = s->placed->kernels.seconds;
  s->ghost_seconds = s->placed->level.exchanges.seconds;
}

const struct gmg_stepper gmg_cuda_stepper = {
  .predict = predict,
  .attach = attach,
  .prepare_kernel = gmg_steps_kernel,
  .prepare_images = gmg_steps_images,
  .prepare_exchange = gmg_steps_exchange,
  .meet = gmg_steps_meet,
  .run = run,
  .reduce = reduce,
  .lend = lend,
  .flush = flush,
  .detach = detach,
};
