#include "place.h"

#include "calls.h"
#include "cuda/memory/gather.h"
#include "cuda/memory/mirror.h"
#include "cuda/memory/room.h"
#include "cuda/runtime/signals.h"
#include "load.h"
#include "mesh/exchange_plan.h"
#include "move.h"
#include "newest.h"
#include "pairs.h"
#include "peers.h"
#include "queue.h"
#include "sources.h"
#include "tail.h"
#include "where.h"
#include "wisdom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What copies will take. */
struct wanted {
  int64_t bytes; /* of arrays that have memory of their own, their spares, and tables of boxes */
  int64_t spares[GMG_SHARES]; /* of those that cycles of one precision need alone */
  int shared;                 /* 1: some array shares the block (../memory.h) */
};

static void mark_array(struct wanted *wanted, struct gmg_level_array *array)
{
  if (array->share != GMG_APART)
    wanted->shared = 1;
  else if (!array->mirror.at && !array->mirror.wanted)
    wanted->bytes += gmg_mirror_bytes(array);
  array->mirror.wanted = 1;
}

static void mark_call(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  struct wanted *wanted = user;
  for (int f = 0; f < call->kernel->fields; f++)
    mark_array(wanted, call->array[f]);
  if (!call->prepared)
    wanted->bytes += gmg_prepared_bytes(call);
  struct gmg_level_array *u = gmg_pairs_array(p, call);
  if (u && !u->mirror.spare && u->mirror.spare_wanted == 0) {
    if (call->share == GMG_APART)
      wanted->bytes += gmg_mirror_bytes(u);
    else
      wanted->spares[call->share] += gmg_mirror_bytes(u);
    u->mirror.spare_wanted = 1 + (int)call->share;
  }
}

/* Marks the arrays that have no copy yet, and adds up what those will take. */
static void mark_arrays(struct gmg_placement *p, struct wanted *wanted)
{
  gmg_where_calls(p, (struct gmg_call_visit){mark_call, wanted});
  for (int n = 0; n < p->levels; n++)
    for (int a = 0; a < p->level[n]->arrays && p->level[n]->device_has_all; a++)
      if (p->level[n]->array[a]->kind == GMG_FIELD)
        mark_array(wanted, p->level[n]->array[a]);
}

/* Of a share's arrays in the block, before its spares. */
static int64_t arrays_in_block(const struct gmg_placement *p, int share)
{
  return gmg_mirror_aligned(p->memory->shared[share]);
}

/* What the device's copy of the shared block takes: its arrays, then the spare arrays of passes. */
static int64_t block_bytes(const struct gmg_placement *p, const struct wanted *wanted)
{
  int64_t most = 0;
  for (int share = GMG_FIRST; share < GMG_SHARES && wanted->shared; share++) {
    const int64_t bytes = arrays_in_block(p, share) + wanted->spares[share];
    most = bytes > most ? bytes : most;
  }
  return most;
}

static void unmark(struct gmg_placement *p)
{
  for (int n = 0; n < p->levels; n++)
    for (int a = 0; a < p->level[n]->arrays; a++)
      p->level[n]->array[a]->mirror.wanted = p->level[n]->array[a]->mirror.spare_wanted = 0;
}

int gmg_cuda_predict(struct gmg_placement *p, struct gmg_device_room *room, char *why, size_t size)
{
  struct wanted wanted = {.bytes = 0};
  int64_t all;
  if (gmg_where_too_large(p, why, size))
    return -1;
  mark_arrays(p, &wanted);
  unmark(p);
  p->predicted = wanted.bytes + block_bytes(p, &wanted);
  gmg_mirror_room(p->device, &room->available, &all);
  room->needed = p->predicted + gmg_rooms_wanted(p->device);
  room->devices = p->device->count;
  return 0;
}

static void make_move(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)user;
  move->prepared = gmg_move_find(p, move->exchange, move->from, move->to);
  p->by_device += move->prepared != NULL;
  p->by_host += move->prepared == NULL;
  for (int n = 0; move->prepared && n < move->prepared->steps; n++) {
    struct gmg_prepared *step = move->prepared->step[n];
    step->level = level;
    step->stat = move->stat;
    step->in_tail =
      gmg_where_in_tail(p, level) && gmg_tail_place(p->device, step->kernel->kernel) >= 0;
  }
}

static void count_messages(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                           void *user)
{
  int *most = user;
  (void)p;
  (void)level;
  const int count = move->exchange->sends + move->exchange->receives;
  *most = count > *most ? count : *most;
}

static void meet(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                 void *user)
{
  (void)level;
  p->by_peers += gmg_peers_meet(p->device, user, move->exchange, move->prepared);
  p->messages += move->exchange->receives;
}

/* Ranks of one machine look for ways around the host. */
static void meet_peers(struct gmg_placement *p)
{
  int most = 0;
  p->by_peers = p->messages = 0;
  if (p->options.direct_messages || !p->options.messages_by_device || p->context->comm.ranks == 1)
    return;
  gmg_where_moves(p, (struct gmg_move_visit){count_messages, &most});
  gmg_signals_choose(p->device);
  struct gmg_meeting *meeting = gmg_meeting_create(most);
  int missing = !meeting;
  const int error = gmg_comm_max_int(&p->context->comm, &missing, 1);
  if (!error && !missing)
    gmg_where_moves(p, (struct gmg_move_visit){meet, meeting});
  gmg_meeting_destroy(&meeting);
}

/* Whether an array is zero when it gets its place: iterates before a solve, and coefficients which
 * setup is to compute there. */
static int is_zero(const struct gmg_placement *p, const struct gmg_level_array *array)
{
  const int has_values = array->coefficient ? !p->coefficients_there : p->values_on_host;
  return array->kind == GMG_FIELD && !has_values;
}

/* Of a level, once p->chunk has room for them. `used`: of the block, by the spares of each share
 * too. */
static void place_level(struct gmg_placement *p, struct gmg_level *level, struct gmg_gather *gather,
                        int64_t used[GMG_SHARES])
{
  for (int a = 0; a < level->arrays; a++) {
    struct gmg_level_array *array = level->array[a];
    const int zero = is_zero(p, array);
    if (array->mirror.wanted && !array->mirror.at && array->share == GMG_APART)
      gmg_mirror_place(gather, gmg_mirror_piece(p->chunk, (int64_t)array->bytes), array, zero);
    else if (array->mirror.wanted && !array->mirror.at && array->share == p->memory->uses)
      gmg_mirror_place(gather, p->block + (uint64_t)array->at, array, zero);
    else if (array->mirror.wanted && !array->mirror.at)
      array->mirror.at = p->block + (uint64_t)array->at; /* its values come when it is used */
    const int share = array->mirror.spare_wanted - 1;
    if (share >= 0 && !array->mirror.spare) {
      array->mirror.spare = share == GMG_APART ? gmg_mirror_piece(p->chunk, (int64_t)array->bytes)
                                               : p->block + (uint64_t)used[share];
      used[share] += gmg_mirror_bytes(array);
      if (share == GMG_APART || share == (int)p->memory->uses)
        gmg_mirror_clear(p->device, array->mirror.spare, (int64_t)array->bytes);
    }
  }
}

static int place_arrays(struct gmg_placement *p)
{
  struct wanted wanted = {.bytes = 0};
  struct gmg_gather *gather = calloc(1, sizeof *gather);
  if (!gather)
    return -1;
  gather->device = p->device;
  mark_arrays(p, &wanted);
  const int64_t block = p->block ? 0 : block_bytes(p, &wanted);
  const int64_t bytes = wanted.bytes + block;
  if (bytes > 0) {
    struct gmg_chunk *chunk = gmg_mirror_take(p->device, bytes);
    if (!chunk) {
      unmark(p);
      free(gather);
      return -1;
    }
    gmg_mirror_chain(chunk, p->chunk);
    p->chunk = chunk;
    p->block = block ? gmg_mirror_piece(chunk, block) : p->block;
    p->block_bytes += block;
    p->bytes += bytes;
    p->peak = p->bytes > p->peak ? p->bytes : p->peak;
  }
  int64_t used[GMG_SHARES] = {0, arrays_in_block(p, GMG_FIRST), arrays_in_block(p, GMG_SECOND)};
  for (int n = 0; n < p->levels; n++)
    place_level(p, p->level[n], gather, used);
  gmg_gather_flush(gather);
  free(gather);
  unmark(p);
  return 0;
}

void gmg_cuda_raise(struct gmg_placement *p)
{
  struct gmg_prepared_sources *past = p->prepared_sources[0];
  p->prepared_sources[0] = p->prepared_sources[1];
  p->prepared_sources[1] = past;
  gmg_mirror_clear(p->device, p->block, p->block_bytes);
  for (int n = 0; n < p->levels; n++)
    for (int a = 0; a < p->level[n]->arrays; a++)
      if (p->level[n]->array[a]->share == p->memory->uses)
        p->level[n]->array[a]->mirror.newer = GMG_NEWER_NEITHER, /* both are zero */
          p->level[n]->array[a]->deep = 0;
}

/* Half-sweeps that sweep layers of ghosts, too. Returns whether that failed. */
static int widen(struct gmg_placement *p, struct gmg_call *call)
{
  const struct gmg_level *level = call->level;
  struct gmg_prepared *prepared = call->prepared;
  int failed = 0;
  if (!level->deep[GMG_DEEP_U].exchange || !gmg_sweeps_one_colour(call->kernel)
      || level->layout->local_count != 1)
    return 0;
  for (int layers = 1; layers <= level->storage->overlap && !failed; layers++) {
    prepared = prepared->wider = gmg_prepared_widen(p->device, call, layers);
    failed = !prepared || gmg_prepared_place(p->device, prepared, 0);
  }
  return failed;
}

static void prepare(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  int *failed = user;
  struct gmg_device *device = p->device;
  if (call->prepared || *failed)
    return;
  struct gmg_prepared *prepared = call->prepared = gmg_prepared_create(device, call);
  const int64_t table = gmg_prepared_bytes(call);
  *failed = !prepared
    || gmg_prepared_place(device, prepared, table ? gmg_mirror_piece(p->chunk, table) : 0);
  if (*failed)
    return;
  *failed = widen(p, call);
  for (struct gmg_prepared *each = prepared; each && gmg_pairs_array(p, call); each = each->wider)
    each->pass = gmg_pairs_make(device, each);
  prepared->in_tail =
    gmg_where_call_in_tail(p, call) && gmg_tail_place(device, prepared->kernel->kernel) >= 0;
  gmg_wisdom_describe(p, call);
  call->by_device = 1;
  call->in_passes = prepared->pass != NULL;
  call->in_tail = prepared->in_tail;
}

/* All that takes memory. Returns whether there was too little, or the device failed. */
static int place(struct gmg_placement *p)
{
  int failed = gmg_rooms_open(p->device) || gmg_load_kernels(p) || place_arrays(p);
  if (!failed)
    gmg_where_calls(p, (struct gmg_call_visit){prepare, &failed});
  p->by_device = p->by_host = 0;
  if (!failed)
    gmg_where_moves(p, (struct gmg_move_visit){make_move, NULL});
  for (int c = 0; c < 2 && !failed; c++)
    failed = gmg_sources_create(p, c);
  return failed;
}

void gmg_cuda_renew_sources(struct gmg_placement *p)
{
  if (p->sources == 0 || p->prepared_sources[0])
    gmg_sources_renew(p);
  else if (gmg_load_kernels(p) || gmg_sources_create(p, 0) || gmg_sources_create(p, 1))
    gmg_device_failed(p->device, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", "boundary values");
}

gmg_status gmg_cuda_attach(struct gmg_placement *p, char *why, size_t size)
{
  struct gmg_device *device = p->device;
  p->untuned = 0;
  const int failed = place(p) || device->failed;
  gmg_queue_set_mode(device->queue, p->options.timed ? GMG_QUEUE_TIMED : GMG_QUEUE_GRAPHS);
  int any = failed || device->failed;
  snprintf(why, size, "%s",
           device->failed ? device->message
             : failed     ? "the device has too little memory left"
                          : "another rank's device failed");
  const gmg_status status = device->failed ? device->failed : GMG_ERR_MEMORY;
  device->failed = GMG_OK;
  if (gmg_comm_max_int(&p->context->comm, &any, 1))
    return GMG_ERR_MPI;
  if (any)
    return status;
  for (int n = 0; n < p->levels; n++)
    p->level[n]->device = device;
  meet_peers(p);
  p->attached = 1;
  p->values_on_host = 0;
  return GMG_OK;
}

static void release_level(struct gmg_placement *p, struct gmg_level *level, enum gmg_keep keep)
{
  for (int c = 0; c < level->calls; c++) {
    struct gmg_call *call = level->call[c];
    if (call->prepared)
      gmg_cuda_forget(call);
    for (int n = 0; n < call->exchanges; n++)
      call->ghosts[n].prepared = NULL;
  }
  for (int a = 0; a < level->arrays; a++) {
    if (keep == GMG_KEEP_ALL || (keep == GMG_KEEP_COEFFICIENTS && level->array[a]->coefficient))
      gmg_cuda_fetch(p->context, level->array[a], GMG_READ);
    level->array[a]->mirror = (struct gmg_mirror){.at = 0};
    level->array[a]->deep = 0;
  }
  level->device = NULL;
}

void gmg_cuda_detach(struct gmg_placement *p, enum gmg_keep keep)
{
  gmg_queue_wait(p->device->queue);
  gmg_queue_forget(p->device->queue);
  for (int n = 0; n < p->transfers; n++)
    p->transfer[n].move->prepared = NULL;
  gmg_moves_destroy(p);
  gmg_sources_destroy(p, 0);
  gmg_sources_destroy(p, 1);
  for (int n = 0; n < p->levels; n++)
    release_level(p, p->level[n], keep);
  gmg_mirror_release(p->device, &p->chunk);
  p->block = 0;
  p->block_bytes = 0;
  p->bytes = 0;
  p->values_on_host = keep == GMG_KEEP_ALL && p->attached;
  p->attached = 0;
}

static void drop_move(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)level;
  (void)user;
  move->prepared = NULL;
  p->by_host++;
}

static void find_move(struct gmg_placement *p, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)level;
  (void)user;
  move->prepared = gmg_move_find(p, move->exchange, move->from, move->to);
  p->by_device += move->prepared != NULL;
  p->by_host -= move->prepared != NULL;
}

void gmg_cuda_divide(struct gmg_placement *p, int host_from)
{
  gmg_queue_wait(p->device->queue);
  gmg_queue_forget(p->device->queue); /* no list will be as those until now */
  p->host_from = p->depth;
  p->by_device = p->by_host = 0;
  gmg_where_moves(p, (struct gmg_move_visit){drop_move, NULL});
  p->host_from = host_from;
  for (int n = 0; n < p->levels; n++)
    for (int c = 0; c < p->level[n]->calls; c++) {
      struct gmg_call *call = p->level[n]->call[c];
      call->by_device = call->prepared && gmg_where_runs(p, call);
    }
  gmg_where_moves(p, (struct gmg_move_visit){find_move, NULL});
}
