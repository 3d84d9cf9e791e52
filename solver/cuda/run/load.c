#include "load.h"

#include "move.h"
#include "pairs.h"
#include "sources.h"
#include "tail.h"
#include "queue.h"
#include "where.h"
#include "wisdom.h"

enum { MOST_KERNELS = 256, MOST_WANTED = 512 };

static int add_kernel(const struct gmg_cuda_kernel **list, int count,
                      const struct gmg_cuda_kernel *kernel)
{
  for (int n = 0; n < count; n++)
    if (list[n] == kernel)
      return count;
  if (count < MOST_KERNELS)
    list[count++] = kernel;
  return count;
}

static int add_wanted(struct gmg_wanted *list, int count, const struct gmg_wanted *wanted)
{
  for (int n = 0; n < count; n++)
    if (list[n].kernel == wanted->kernel && list[n].form == wanted->form
        && list[n].many == wanted->many && gmg_shapes_equal(&list[n].shape, &wanted->shape))
      return count;
  if (count < MOST_WANTED)
    list[count++] = *wanted;
  return count;
}

/* The different kernels of calls. */
struct kernels {
  const struct gmg_cuda_kernel *move[MOST_KERNELS], *tail[MOST_KERNELS], *pair[MOST_KERNELS];
  int moves, tails, pairs;
  struct gmg_wanted usual[MOST_WANTED]; /* of calls, by default */
  struct gmg_wanted tuned[MOST_WANTED]; /* otherwise than by default, as wisdom has it */
  int usuals, tuneds;
};

static void list_move(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  struct kernels *list = user;
  const int count = gmg_move_kernels(move->exchange, list->move, list->moves, MOST_KERNELS);
  list->moves = count < 0 ? list->moves : count;
  const int tails = gmg_where_in_tail(p, level)
    ? gmg_move_kernels(move->exchange, list->tail, list->tails, MOST_KERNELS)
    : -1;
  list->tails = tails < 0 ? list->tails : tails;
}

static void list_kernels(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  struct kernels *list = user;
  const struct gmg_cuda_kernel *text = call->kernel->cuda;
  const struct gmg_wanted usual = gmg_wisdom_usual(call), wanted = gmg_wisdom_wanted(call);
  list->usuals = add_wanted(list->usual, list->usuals, &usual);
  if (wanted.optional)
    list->tuneds = add_wanted(list->tuned, list->tuneds, &wanted);
  if (gmg_where_call_in_tail(p, call))
    list->tails = add_kernel(list->tail, list->tails, text);
  if (gmg_pairs_array(p, call))
    list->pairs = add_kernel(list->pair, list->pairs, text);
}

int gmg_load_kernels(struct gmg_placement *p)
{
  struct kernels list = {.moves = 0};
  gmg_where_calls(p, (struct gmg_call_visit){list_kernels, &list});
  gmg_where_moves(p, (struct gmg_move_visit){list_move, &list});
  for (int c = 0; c < 2; c++) {
    const struct gmg_cuda_kernel *sources[2];
    for (int n = gmg_sources_kernels(p, c, sources); n > 0; n--)
      list.moves = add_kernel(list.move, list.moves, sources[n - 1]);
  }
  if (p->load && p->store) { /* the caller's arrays may be on the device */
    struct gmg_move load = {.exchange = p->load}, store = {.exchange = p->store};
    list_move(p, p->cycle[0][0], &load, &list);
    list_move(p, p->cycle[0][0], &store, &list);
    for (int d = 0; d < 3; d++) {
      struct gmg_move faces = {.exchange = p->load_face[d]};
      if (faces.exchange)
        list_move(p, p->cycle[0][0], &faces, &list);
    }
  }
  if (list.moves == MOST_KERNELS || list.usuals == MOST_WANTED)
    return gmg_device_failed(p->device, CUDA_ERROR_INVALID_VALUE, "cuModuleLoadData",
                             "more kernels than there is room for");
  struct gmg_wanted wanted[2 * MOST_KERNELS + 2 * MOST_WANTED];
  int count = 0;
  for (int n = 0; n < list.usuals; n++)
    wanted[count++] = list.usual[n];
  for (int n = 0; n < list.moves; n++) /* in launches on many blocks */
    wanted[count++] = gmg_modules_default(list.move[n], 1);
  for (int n = 0; n < list.pairs; n++)
    wanted[count++] = gmg_modules_form(list.pair[n], list.pair[n]->staged);
  for (int n = 0; n < list.tuneds; n++)
    wanted[count++] = list.tuned[n];
  p->device->way.cached = p->options.cache_kernels;
  gmg_device_enter(p->device);
  struct gmg_program tail;
  int failed = gmg_tail_plan(p->device, list.tail, list.tails, &tail);
  failed = failed || gmg_modules_load(p->device, wanted, count, &tail, &p->compiled, &p->cached);
  if (tail.text)
    gmg_queue_forget(p->device->queue);
  failed = gmg_tail_take(p->device, &tail, failed);
  gmg_device_leave(p->device);
  return failed;
}
