#include "move.h"

#include "mesh/exchange_plan.h"
#include "blocks.h"
#include "merge.h"
#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/signals.h"
#include "peers.h"
#include "queue.h"
#include "walls.h"

#include <stdlib.h>
#include <string.h>

static struct gmg_device_block block_of_copy(const struct gmg_copy *copy)
{
  struct gmg_device_block block = {copy->to, copy->from,   copy->to_i,    copy->from_i,
                                   {0},      copy->to_box, copy->from_box};
  memcpy(block.extent, copy->extent, sizeof block.extent);
  return block;
}

static int add_kernel(const struct gmg_cuda_kernel **list, int count, int most,
                      const struct gmg_cuda_kernel *kernel)
{
  for (int n = 0; n < count; n++)
    if (list[n] == kernel)
      return count;
  if (!kernel || count == most)
    return -1;
  list[count] = kernel;
  return count + 1;
}

int gmg_move_kernels(const struct gmg_exchange *e, const struct gmg_cuda_kernel **list, int count,
                     int most)
{
  const struct gmg_copy_list *const copies[] = {&e->pack, &e->local, &e->unpack};
  if (e->to->step != 1)
    return -1;
  for (int n = 0; n < 3; n++)
    for (int c = 0; c < copies[n]->count && count >= 0; c++) /* thousands of a field */
      if (c == 0 || copies[n]->copy[c].to_box != copies[n]->copy[c - 1].to_box)
        count = add_kernel(list, count, most, gmg_block_mover(e, copies[n]->copy[c].to_box));
  for (int w = 0; w < e->walls && count >= 0; w++)
    count = add_kernel(list, count, most, gmg_block_mover(e, e->wall[w].box));
  return count;
}

/* A list of copies: those to split rows are one step, those to plain ones another. Returns -1 out
 * of memory. */
static int add_copies(struct gmg_device *device, struct gmg_level *level,
                      struct gmg_prepared_move *move, const struct gmg_copy_list *list, void *to,
                      void *from, struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  struct gmg_copy *copy = malloc(((size_t)list->count + 1) * sizeof *copy); /* for a moment */
  int failed = !copy;
  for (int split = 0; split < 2 && !failed; split++) {
    const int count = gmg_merge_copies(e, list, split, copy);
    struct gmg_prepared *step =
      count ? gmg_block_step(device, level, gmg_block_mover(e, copy[0].to_box), count, 1) : NULL;
    failed = count && !step;
    if (step)
      move->step[move->steps++] = step;
    for (int c = 0; c < count && step; c++) {
      const struct gmg_device_block block = block_of_copy(&copy[c]);
      gmg_block_add(step, e, &block, to, from, tables);
    }
  }
  free(copy);
  return failed ? -1 : 0;
}

static void *address(CUdeviceptr at)
{
  return (void *)(uintptr_t)at; /* of the device */
}

static int fill_steps(struct gmg_device *device, struct gmg_level *level,
                      struct gmg_prepared_move *move, struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  void *to = gmg_block_start(move->to), *from = gmg_block_start(move->from);
  move->steps = 0;
  gmg_block_restart(tables);
  if (add_copies(device, level, move, &e->pack, address(move->d_send), from, tables))
    return -1;
  move->packs = move->steps;
  if (add_copies(device, level, move, &e->local, to, from, tables))
    return -1;
  move->locals = move->steps - move->packs;
  if (add_copies(device, level, move, &e->unpack, to, address(move->d_receive), tables))
    return -1;
  move->unpacks = move->steps - move->packs - move->locals;
  if (gmg_walls_add(device, level, move, to, tables))
    return -1;
  move->steps_of_turn = move->steps;
  if (move->second == 0)
    return 0;
  return add_copies(device, level, move, &e->pack, address(move->d_send), from, tables)
    || add_copies(device, level, move, &e->unpack, to, address(move->d_receive), tables);
}

static void free_steps(struct gmg_prepared_move *move)
{
  while (move->steps > 0)
    gmg_prepared_destroy(&move->step[--move->steps]);
}

/* What the tables of all its launches take. */
static int64_t steps_bytes(const struct gmg_prepared_move *move)
{
  int64_t bytes = 0;
  for (int n = 0; n < move->steps; n++)
    bytes += gmg_block_step_bytes(move->step[n]);
  return bytes;
}

static int place_steps(struct gmg_device *device, struct gmg_prepared_move *move)
{
  int failed = 0;
  for (int n = 0; n < move->steps && !failed; n++) {
    const int64_t bytes = gmg_block_step_bytes(move->step[n]);
    failed = gmg_prepared_place(device, move->step[n], gmg_mirror_piece(move->tables, bytes));
  }
  return failed;
}

/* Twice: the first time the tables are only counted. */
static int fill(struct gmg_device *device, struct gmg_level *level, struct gmg_prepared_move *move)
{
  struct gmg_block_tables tables = {.value = NULL};
  if (fill_steps(device, level, move, &tables))
    return -1;
  const int64_t records = steps_bytes(move);
  free_steps(move);
  const int64_t bytes = (int64_t)((tables.count + 1) * sizeof(int));
  const int64_t received = (int64_t)(move->second + move->receive_bytes),
                buffers = (int64_t)move->send_bytes + received;
  tables.value = calloc(tables.count + 1, sizeof(int));
  const int64_t signals = (int64_t)move->exchange->receives * GMG_SIGNALS_OF_MESSAGE;
  move->tables = gmg_mirror_take(device, bytes + buffers + records + signals + 1280);
  if (!tables.value || !move->tables) {
    free(tables.value);
    return -1;
  }
  tables.at = gmg_mirror_piece(move->tables, bytes);
  move->d_send = gmg_mirror_piece(move->tables, (int64_t)move->send_bytes);
  move->d_receive = gmg_mirror_piece(move->tables, received);
  move->d_signals = gmg_mirror_piece(move->tables, signals);
  int failed = fill_steps(device, level, move, &tables) || place_steps(device, move);
  gmg_device_enter(device);
  if (move->direct) {
    move->send = address(move->d_send);
    move->receive = address(move->d_receive);
  }
  if (!failed && move->send_bytes && !move->direct)
    failed = GMG_DEVICE_TRY(device, cuMemHostAlloc, &move->send, move->send_bytes, 0);
  if (!failed && move->receive_bytes && !move->direct)
    failed = GMG_DEVICE_TRY(device, cuMemHostAlloc, &move->receive, move->receive_bytes, 0);
  if (!failed)
    failed = GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, tables.at, tables.value, (size_t)bytes,
                            device->stream);
  gmg_device_leave(device);
  free(tables.value);
  return failed;
}

static void destroy(struct gmg_device *device, struct gmg_prepared_move *move)
{
  free_steps(move);
  free(move->step);
  gmg_device_enter(device);
  for (int n = 0; n < 2 * GMG_SIGNALS; n++) {
    struct gmg_prepared **signal = &move->signal[n / GMG_SIGNALS][n % GMG_SIGNALS];
    if (*signal)
      gmg_signals_destroy(device, &(*signal)->signals);
    gmg_prepared_destroy(signal);
  }
  gmg_peers_destroy(device, &move->peers);
  if (move->send && !move->direct)
    device->driver->cuMemFreeHost(move->send);
  if (move->receive && !move->direct)
    device->driver->cuMemFreeHost(move->receive);
  gmg_device_leave(device);
  if (move->tables)
    gmg_mirror_release(device, &move->tables);
  free(move);
}

/* How the caller's array lies, where one end of the move is that; else zeros. */
static void set_strides(struct gmg_prepared_move *move)
{
  const struct gmg_exchange *e = move->exchange;
  const struct gmg_storage *view = !move->from ? e->from : !move->to ? e->to : NULL;
  if (!view)
    return;
  move->stride[0] = view->step;
  move->stride[1] = view->stride[0][0];
  move->stride[2] = view->stride[0][1];
}

/* NULL with the device's message. */
static struct gmg_prepared_move *create(struct gmg_placement *p,
                                        const struct gmg_prepared_move *wanted)
{
  const struct gmg_exchange *e = wanted->exchange;
  struct gmg_prepared_move *move = malloc(sizeof *move);
  if (move) {
    *move = *wanted;
    move->direct = p->options.direct_messages;
    move->silent = p->options.no_messages;
    move->send_bytes = (size_t)e->pack.elements * e->to->element_bytes;
    move->receive_bytes = (size_t)e->unpack.elements * e->to->element_bytes;
    if (p->options.messages_by_device && !move->direct && e->sends > 0 && e->receives > 0)
      move->second = (size_t)gmg_mirror_aligned((int64_t)move->receive_bytes);
    move->turns = 1;
    move->step = calloc(10 + gmg_walls_most(e), sizeof *move->step);
  }
  if (move && move->step && !fill(p->device, p->cycle[0][0], move))
    return move;
  gmg_device_failed(p->device, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", "an exchange");
  if (move)
    destroy(p->device, move);
  return NULL;
}

/* Steps from `first` on. In the second turn others pack and unpack. */
static void add_steps(struct gmg_device *device, const struct gmg_prepared_move *move, int first,
                      int end)
{
  const int received = move->packs + move->locals;
  for (int n = first; n < end; n++) {
    int at = n;
    if (move->turn && n < move->packs)
      at = move->steps_of_turn + n;
    else if (move->turn && n >= received && n < received + move->unpacks)
      at = move->steps_of_turn + n - move->locals;
    gmg_queue_add(device->queue, move->step[at], move->step[at]->args.scalar, 0);
  }
}

/* Where messages go from device to device. */
static void add_signal(struct gmg_device *device, const struct gmg_prepared_move *move,
                       enum gmg_signal which)
{
  struct gmg_prepared *signal = move->signal[move->turn][which];
  if (signal)
    gmg_queue_add(device->queue, signal, signal->args.scalar, 0);
}

/* By way of the host, packed values go to the other ranks and theirs come here, while what stays on
 * this rank is copied. */
static void send_and_receive(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  if (move->send_bytes && !move->direct)
    GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, move->send, move->d_send, move->send_bytes,
                   device->stream);
  gmg_device_synchronize(device);
  gmg_device_leave(device);
  add_steps(device, move, move->packs, move->packs + move->locals);
  gmg_queue_flush(device->queue);
  gmg_device_enter(device); /* MPI may want its context */
  const int error = move->peers ? gmg_peers_messages(device, move)
                                : gmg_exchange_messages(move->exchange, move->send, move->receive);
  if (error)
    device->context->mpi_error = error;
  if (move->receive_bytes && !move->direct && !move->peers)
    GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, move->d_receive, move->receive, move->receive_bytes,
                   device->stream);
  gmg_device_leave(device);
}

/* Of messages from device to device alone: the list goes on. */
static void add_between_devices(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  const int timed = gmg_signals_timed(device);
  if (move->locals == 0 && !timed) {
    add_signal(device, move, GMG_PACKED_AND_MAY_READ);
    return;
  }
  add_signal(device, move, GMG_PACKED);
  add_steps(device, move, move->packs, move->packs + move->locals);
  if (!timed) {
    add_signal(device, move, GMG_MAY_READ);
    return;
  }
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  gmg_signals_start_timed(device, move->signal[move->turn][GMG_MAY_READ]->signals);
  gmg_device_leave(device);
}

void gmg_move_add(struct gmg_device *device, struct gmg_prepared_move *move)
{
  const int locals = move->packs + move->locals,
            messages = move->silent ? 0 : move->exchange->sends + move->exchange->receives;
  add_signal(device, move, GMG_MAY_PACK);
  add_steps(device, move, 0, move->packs);
  if (messages == 0) {
    add_steps(device, move, move->packs, locals);
  } else if (move->peers && gmg_peers_by_host(move->peers) == 0) {
    add_between_devices(device, move);
  } else {
    add_signal(device, move, GMG_PACKED);
    send_and_receive(device, move);
    add_signal(device, move, GMG_MAY_READ);
  }
  add_steps(device, move, locals, move->steps_of_turn);
  add_signal(device, move, GMG_READ_ALL);
  move->turn = (move->turn + 1) % move->turns;
}

/* Moves the caller's end of all blocks to where the caller's array is this time. */
static int point_to(struct gmg_device *device, struct gmg_prepared_move *move, CUdeviceptr values)
{
  const int end = move->to != NULL; /* which field is the caller's */
  int failed = 0;
  if (move->values == values)
    return 0;
  for (int s = 0; s < move->steps && !failed; s++) {
    struct gmg_prepared *step = move->step[s];
    for (int b = 0; b < step->boxes; b++)
      gmg_prepared_shift(step, b, end, values - move->values);
    failed = gmg_prepared_renew(device, step);
  }
  move->values = values;
  return failed;
}

void gmg_move_start(struct gmg_device *device, struct gmg_prepared_move *move, CUdeviceptr values)
{
  if (point_to(device, move, values))
    return;
  gmg_device_enter(device);
  for (int s = 0; s < move->steps; s++) {
    const struct gmg_prepared *step = move->step[s];
    CUDA_KERNEL_NODE_PARAMS node;
    struct gmg_cuda_args args = step->args;
    void *argument[] = {&args};
    gmg_prepared_node(step, argument, &node);
    gmg_prepared_launch(device, &node, step->kernel->kernel->symbol);
  }
  gmg_device_leave(device);
}

/* Whether the device has the array, or it is the caller's. */
static int is_there(const struct gmg_level_array *array)
{
  return !array || array->mirror.at;
}

struct gmg_prepared_move *gmg_move_find(struct gmg_placement *p, struct gmg_exchange *exchange,
                                        const struct gmg_level_array *from,
                                        const struct gmg_level_array *to)
{
  struct gmg_prepared_move wanted = {.exchange = exchange, .from = from, .to = to}, *move;
  const struct gmg_cuda_kernel *kernel[4];
  set_strides(&wanted);
  for (struct gmg_prepared_move **at = &p->moves; (move = *at); at = &move->next) {
    if (move->exchange != exchange || move->from != from || move->to != to)
      continue;
    if (memcmp(move->stride, wanted.stride, sizeof wanted.stride) == 0)
      return move;
    *at = move->next; /* the caller's array lies otherwise than the one before */
    gmg_queue_wait(p->device->queue);
    destroy(p->device, move);
    break;
  }
  const int kernels = gmg_move_kernels(exchange, kernel, 0, 4);
  for (int n = 0; n < kernels; n++)
    if (!gmg_modules_find(p->device, kernel[n], 1))
      return NULL;
  move = kernels >= 0 && is_there(from) && is_there(to) ? create(p, &wanted) : NULL;
  if (move) {
    move->next = p->moves;
    p->moves = move;
  }
  return move;
}

void gmg_moves_destroy(struct gmg_placement *p)
{
  while (p->moves) {
    struct gmg_prepared_move *move = p->moves;
    p->moves = move->next;
    destroy(p->device, move);
  }
}
