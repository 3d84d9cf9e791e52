/* A solver's levels on the device: which, with what memory and which kernels. */
#include "system/bytes.h"
#include "mesh/exchange_plan.h"
#include "cuda/memory/mirror.h"
#include "pairs.h"
#include "peers.h"
#include "sources.h"
#include "tail.h"
#include "visit.h"
#include "load.h"
#include "where.h"

#include "problem/cycles.h"
#include "system/threads.h"

#include <stdio.h>

/* The finest level that the host computes. */
static int host_from(const struct gmg_solver *s)
{
  if (s->placement.coarse_settled)
    return s->placement.host_from;
  return s->problem.options.coarse == GMG_COARSE_CPU ? gmg_backend_coarse_from(s)
                                                     : s->hierarchy.levels;
}

/* What copies will take. */
struct wanted {
  int64_t bytes;              /* of arrays that have memory of their own, and their spares */
  int64_t spares[GMG_SHARES]; /* of those that cycles of one precision need alone */
  int shared;                 /* 1: some array shares the block (../memory.h) */
};

/* Marks the arrays that have no copy yet, and adds up what those will take. */
static void mark_arrays(struct gmg_solver *s, struct gmg_call *call, void *user)
{
  struct wanted *wanted = user;
  for (int f = 0; f < call->kernel->fields; f++) {
    struct gmg_level_array *array = call->array[f];
    if (array->share != GMG_APART)
      wanted->shared = 1;
    else if (!array->mirror.at && !array->mirror.wanted)
      wanted->bytes += gmg_mirror_bytes(array);
    array->mirror.wanted = 1;
  }
  struct gmg_level_array *u = gmg_pairs_array(s, call);
  if (u && !u->mirror.spare && u->mirror.spare_wanted == 0) {
    if (call->share == GMG_APART)
      wanted->bytes += gmg_mirror_bytes(u);
    else
      wanted->spares[call->share] += gmg_mirror_bytes(u);
    u->mirror.spare_wanted = 1 + (int)call->share;
  }
}

/* Of a share's arrays in the block, before its spares. */
static int64_t arrays_in_block(const struct gmg_solver *s, int share)
{
  return gmg_mirror_aligned(s->memory.shared[share]);
}

/* What the device's copy of the shared block takes: its arrays, then the spare arrays of passes. */
static int64_t block_bytes(const struct gmg_solver *s, const struct wanted *wanted)
{
  int64_t most = 0;
  for (int share = GMG_FIRST; share < GMG_SHARES && wanted->shared; share++) {
    const int64_t bytes = arrays_in_block(s, share) + wanted->spares[share];
    most = bytes > most ? bytes : most;
  }
  return most;
}

static void unmark(struct gmg_solver *s)
{
  for (int n = 0; n < gmg_visit_levels(s); n++) {
    struct gmg_level *level = gmg_visit_level(s, n);
    for (int a = 0; level && a < level->arrays; a++)
      level->array[a]->mirror.wanted = level->array[a]->mirror.spare_wanted = 0;
  }
}

gmg_status gmg_backend_choose(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  gmg_status status = GMG_OK;
  char reason[sizeof p->why] = "";
  *p = (struct gmg_placement){.device = NULL};
  if (s->problem.options.backend != GMG_BACKEND_OPENMP)
    p->device = gmg_device_open(s->context, reason, sizeof reason);
  int missing = !p->device;
  if (gmg_comm_max_int(&s->context->comm, &missing, 1))
    status = gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  if (missing && s->problem.options.backend == GMG_BACKEND_CUDA && !p->device)
    status = gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "backend: cuda: %s", reason);
  if (missing) /* on one rank: then on none */
    p->device = NULL;
  snprintf(p->why, sizeof p->why, "%s", reason);
  p->direct = s->problem.options.device_messages == GMG_MESSAGES_DIRECT
    || (s->problem.options.device_messages == GMG_MESSAGES_AUTO
        && gmg_comm_reads_devices(&s->context->comm));
  if (p->device) {
    gmg_device_describe(p->device, p->name, sizeof p->name);
    p->chosen = gmg_device_chosen(p->device);
  }
  return gmg_agree(s->context, status);
}

/* The host computes from here on, or the options do not allow that. */
static gmg_status give_up(struct gmg_solver *s, gmg_status status, const char *why)
{
  struct gmg_placement *p = &s->placement;
  if (s->problem.options.backend == GMG_BACKEND_CUDA)
    return gmg_fail(s->context, status, "%s", why);
  gmg_report_fallback(&s->report, "backend auto: the CPU computes; %s", why);
  gmg_backend_detach(s, 1);
  p->device = NULL;
  snprintf(p->why, sizeof p->why, "%s", why);
  return GMG_OK;
}

/* Ranks that share a device take from the same memory. */
static gmg_status check_room(struct gmg_solver *s, int64_t bytes, int *fits, char *why, size_t size)
{
  struct gmg_device *device = s->placement.device;
  int64_t available, total;
  char needs[40], has[40];
  gmg_mirror_room(device, &available, &total);
  bytes += gmg_rooms_wanted(device);
  double all = (double)bytes;
  if (gmg_comm_sum_on_machine(&s->context->comm, &all, 1))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  const double here = all / device->count > (double)bytes ? all / device->count : (double)bytes;
  int short_of = here > (double)available;
  if (gmg_comm_max_int(&s->context->comm, &short_of, 1))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  *fits = !short_of;
  gmg_bytes_text(here, needs, sizeof needs);
  gmg_bytes_text((double)available, has, sizeof has);
  snprintf(why, size,
           "too little memory on the device: this solve needs %s there, and %s are free: take "
           "fewer cells,%s%s or %d ranks on as many devices",
           needs, has, s->krylov.bound ? " krylov none," : "",
           s->hierarchy.precision == GMG_F32 ? " precision double," : "",
           2 * s->context->comm.ranks);
  return GMG_OK;
}

gmg_status gmg_backend_predict(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  char why[sizeof p->why];
  int fits = 1, large;
  if (!p->device)
    return GMG_OK;
  large = gmg_where_too_large(s, why, sizeof why);
  int any = large;
  if (gmg_comm_max_int(&s->context->comm, &any, 1))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  if (any)
    return gmg_agree(
      s->context,
      give_up(s, GMG_ERR_UNSUPPORTED, large ? why : "another rank has too large a box for a GPU"));
  p->host_from = host_from(s);
  gmg_status status = GMG_OK;
  for (p->no_spares = 0; p->no_spares < 2; p->no_spares++) {
    struct wanted wanted = {.bytes = 0};
    gmg_visit_calls(s, mark_arrays, &wanted);
    unmark(s);
    p->predicted = wanted.bytes + block_bytes(s, &wanted);
    status = check_room(s, p->predicted, &fits, why, sizeof why);
    if (status || fits || p->no_spares)
      break;
  }
  if (!status && !fits)
    status = give_up(s, GMG_ERR_MEMORY, why);
  return status;
}

static void make_move(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)user;
  move->ready = (struct gmg_ready_move *)gmg_backend_move(s, move->exchange, move->from, move->to);
  s->placement.made += move->ready != NULL;
  s->placement.left += move->ready == NULL;
  for (int n = 0; move->ready && n < move->ready->steps; n++) {
    struct gmg_ready *step = move->ready->step[n];
    step->level = level;
    step->stat = move->stat;
    step->in_tail =
      gmg_where_in_tail(s, level) && gmg_tail_place(s->placement.device, step->kernel->kernel) >= 0;
  }
}

static void forget_move(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move,
                        void *user)
{
  (void)s;
  (void)level;
  (void)user;
  move->ready = NULL;
}

static void count_messages(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move,
                           void *user)
{
  int *most = user;
  (void)s;
  (void)level;
  const int count = move->exchange->sends + move->exchange->receives;
  *most = count > *most ? count : *most;
}

static void meet(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move, void *user)
{
  (void)level;
  s->placement.met += gmg_peers_meet(s->placement.device, user, move->exchange, move->ready);
  s->placement.messages += move->exchange->receives;
}

/* Ranks of one machine look for ways around the host. */
static void meet_peers(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  int most = 0;
  p->met = p->messages = 0;
  if (p->direct || s->problem.options.device_messages == GMG_MESSAGES_HOST
      || s->context->comm.ranks == 1)
    return;
  gmg_visit_moves(s, (struct gmg_move_visit){count_messages, &most});
  struct gmg_meeting *meeting = gmg_meeting_create(most);
  int missing = !meeting;
  const int error = gmg_comm_max_int(&s->context->comm, &missing, 1);
  if (!error && !missing)
    gmg_visit_moves(s, (struct gmg_move_visit){meet, meeting});
  gmg_meeting_destroy(&meeting);
}

/* Those that the host has made in setup are kept; all others are zero before a solve. */
static int holds_values(const struct gmg_level_array *array)
{
  return array->kind != GMG_FIELD || strncmp(array->name, "beta", 4) == 0
    || strcmp(array->name, "alpha") == 0 || strcmp(array->name, "dinv") == 0;
}

/* Places a level's arrays, once p->chunk has room for them. used: of the block, by share. */
static void place_level(struct gmg_solver *s, struct gmg_level *level, int64_t used[GMG_SHARES])
{
  struct gmg_placement *p = &s->placement;
  for (int a = 0; a < level->arrays; a++) {
    struct gmg_level_array *array = level->array[a];
    const int zero = !p->kept && !holds_values(array);
    if (array->mirror.wanted && !array->mirror.at && array->share == GMG_APART)
      gmg_mirror_place(p->device, gmg_mirror_piece(p->chunk, (int64_t)array->bytes), array, zero);
    else if (array->mirror.wanted && !array->mirror.at && array->share == s->memory.uses)
      gmg_mirror_place(p->device, p->block + (uint64_t)array->at, array, zero);
    else if (array->mirror.wanted && !array->mirror.at)
      array->mirror.at = p->block + (uint64_t)array->at; /* its values come when it is used */
    const int share = array->mirror.spare_wanted - 1;
    if (share >= 0 && !array->mirror.spare) {
      array->mirror.spare = share == GMG_APART ? gmg_mirror_piece(p->chunk, (int64_t)array->bytes)
                                               : p->block + (uint64_t)used[share];
      used[share] += gmg_mirror_bytes(array);
      if (share == GMG_APART || share == (int)s->memory.uses)
        gmg_mirror_clear(p->device, array->mirror.spare, (int64_t)array->bytes);
    }
  }
}

static int place_arrays(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  struct wanted wanted = {.bytes = 0};
  gmg_visit_calls(s, mark_arrays, &wanted);
  p->block_bytes = block_bytes(s, &wanted);
  const int64_t bytes = wanted.bytes + p->block_bytes;
  if (bytes > 0) {
    struct gmg_chunk *chunk = gmg_mirror_take(p->device, bytes);
    if (!chunk) {
      unmark(s);
      return -1;
    }
    gmg_mirror_chain(chunk, p->chunk);
    p->chunk = chunk;
    p->block = p->block_bytes ? gmg_mirror_piece(chunk, p->block_bytes) : 0;
    p->bytes += bytes;
    p->peak = p->bytes > p->peak ? p->bytes : p->peak;
  }
  int64_t used[GMG_SHARES] = {0, arrays_in_block(s, GMG_FIRST), arrays_in_block(s, GMG_SECOND)};
  for (int n = 0; n < gmg_visit_levels(s); n++)
    if (gmg_visit_level(s, n))
      place_level(s, gmg_visit_level(s, n), used);
  unmark(s);
  return 0;
}

void gmg_backend_raise(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  if (!p->attached)
    return;
  gmg_mirror_clear(p->device, p->block, p->block_bytes);
  for (int n = 0; n < gmg_visit_levels(s); n++) {
    struct gmg_level *level = gmg_visit_level(s, n);
    for (int a = 0; level && a < level->arrays; a++)
      if (level->array[a]->share == s->memory.uses)
        level->array[a]->mirror.newer = GMG_NEWER_NEITHER; /* both are zero */
  }
}

static void make_ready(struct gmg_solver *s, struct gmg_call *call, void *user)
{
  int *failed = user;
  struct gmg_device *device = s->placement.device;
  if (call->ready || *failed)
    return;
  call->ready = gmg_ready_create(device, call);
  *failed = !call->ready;
  if (call->ready && gmg_pairs_array(s, call))
    call->ready->pass = gmg_pairs_make(device, call->ready);
  if (call->ready)
    call->ready->in_tail =
      gmg_where_call_in_tail(s, call) && gmg_tail_place(device, call->ready->kernel->kernel) >= 0;
}

gmg_status gmg_backend_attach(struct gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  char why[sizeof p->why] = "";
  if (!p->device)
    return GMG_OK;
  const double begin = gmg_seconds();
  p->host_from = host_from(s);
  gmg_call_wait(s->context);
  int failed = gmg_rooms_open(p->device) || gmg_load_kernels(s) || place_arrays(s);
  if (!failed)
    gmg_visit_calls(s, make_ready, &failed);
  p->made = p->left = 0;
  if (!failed)
    gmg_visit_moves(s, (struct gmg_move_visit){make_move, NULL});
  if (!failed && !p->sources)
    failed = gmg_sources_create(s);
  if (!failed && gmg_where_has_other(s) && !s->hierarchy.other.sources) {
    gmg_cycles_exchange(s);
    failed = gmg_sources_create(s);
    gmg_cycles_exchange(s);
  }
  gmg_queue_set_mode(p->device->queue,
                     s->problem.options.launch == GMG_LAUNCH_TIMED ? GMG_QUEUE_TIMED
                                                                   : GMG_QUEUE_GRAPHS);
  if (p->device->failed)
    snprintf(why, sizeof why, "%s", p->device->message);
  else if (failed)
    snprintf(why, sizeof why, "the device has too little memory left");
  failed |= p->device->failed != 0;
  const gmg_status first = p->device->failed ? p->device->failed : GMG_ERR_MEMORY;
  p->device->failed = GMG_OK;
  int any = failed;
  if (gmg_comm_max_int(&s->context->comm, &any, 1))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  if (any)
    return gmg_agree(s->context, give_up(s, first, failed ? why : "another rank's device failed"));
  for (int n = 0; n < gmg_visit_levels(s); n++)
    if (gmg_visit_level(s, n))
      gmg_visit_level(s, n)->device = p->device;
  meet_peers(s);
  gmg_where_exchanges(p);
  p->attached = 1;
  p->kept = 0;
  p->attach_seconds += gmg_seconds() - begin;
  return GMG_OK;
}

void gmg_backend_detach(struct gmg_solver *s, int keep)
{
  struct gmg_placement *p = &s->placement;
  struct gmg_device *device = p->device;
  if (!device)
    return;
  gmg_queue_flush(device->queue);
  gmg_queue_forget(device->queue);
  if (s->hierarchy.level && p->attached)
    gmg_visit_moves(s, (struct gmg_move_visit){forget_move, NULL});
  gmg_backend_forget(s, NULL);
  gmg_sources_destroy(s);
  gmg_cycles_exchange(s);
  gmg_sources_destroy(s);
  gmg_cycles_exchange(s);
  for (int n = 0; n < gmg_visit_levels(s); n++) {
    struct gmg_level *level = gmg_visit_level(s, n);
    for (int c = 0; level && c < level->calls; c++)
      gmg_device_forget(level->call[c]);
    for (int a = 0; level && a < level->arrays; a++) {
      if (keep)
        gmg_device_fetch(s->context, level->array[a], GMG_READ);
      level->array[a]->mirror = (struct gmg_mirror){.at = 0};
    }
    if (level)
      level->device = NULL;
  }
  gmg_mirror_release(device, &p->chunk);
  p->block = 0;
  p->bytes = 0;
  p->kept = keep && p->attached;
  p->attached = 0;
}
