#include "peer_steps.h"

#if GMG_WITH_MPI

#include "cuda/runtime/signals.h"

#include <stdlib.h>

/* Whether messages to and from a rank take two buffers in turn: all of them go from device to
 * device, both ways, and both sides have the room. */
static int in_turn(const struct gmg_prepared_move *move, int rank)
{
  const struct gmg_exchange *e = move->exchange;
  int sent = 0, received = 0, all = move->second > 0;
  for (int m = 0; m < e->sends; m++)
    if (e->send[m].rank == rank)
      sent = 1, all = all && move->peers->there[m] && move->peers->second[m];
  for (int m = 0; m < e->receives; m++)
    if (e->receive[m].rank == rank)
      received = 1, all = all && move->peers->here[m];
  return all && sent && received;
}

/* Of so many steps from one on, moves what lies in a message's buffer elsewhere: the field of each
 * block that begins there. */
static void redirect(struct gmg_device *device, struct gmg_prepared_move *move, int first,
                     int steps, int field, CUdeviceptr at, size_t bytes, uint64_t by)
{
  for (int s = first; s < first + steps; s++) {
    struct gmg_prepared *step = move->step[s];
    int any = 0;
    for (int b = 0; b < step->boxes; b++) {
      const CUdeviceptr there = (CUdeviceptr)(uintptr_t)gmg_prepared_box(step, b).field[field];
      if (there < at || there >= at + bytes)
        continue;
      gmg_prepared_shift(step, b, field, by);
      any = 1;
    }
    if (any)
      gmg_prepared_renew(device, step);
  }
}

/* Packs what is sent right where the other rank reads it, and reads what is in second buffers. */
static void use_buffers(struct gmg_device *device, const struct gmg_exchange *e,
                        struct gmg_prepared_move *move)
{
  const struct gmg_peers *peers = move->peers;
  const int others = move->steps_of_turn, extra = move->second ? 1 : 0;
  for (int m = 0; m < e->sends; m++) {
    const CUdeviceptr here = move->d_send + gmg_message_bytes(e, e->send[m].first);
    const size_t bytes = gmg_message_bytes(e, e->send[m].count);
    const uint64_t by = peers->there[m] - here,
                   second = in_turn(move, e->send[m].rank) ? peers->second[m] : 0;
    if (!peers->there[m])
      continue;
    redirect(device, move, 0, move->packs, 0, here, bytes, by);
    redirect(device, move, others, extra * move->packs, 0, here, bytes, by + second);
  }
  for (int m = 0; m < e->receives; m++)
    if (in_turn(move, e->receive[m].rank)) {
      move->turns = 2;
      redirect(device, move, others + move->packs, move->unpacks, 1,
               move->d_receive + gmg_message_bytes(e, e->receive[m].first),
               gmg_message_bytes(e, e->receive[m].count), move->second);
    }
}

/* A step of signals, none yet. NULL with the device's message. */
static struct gmg_prepared *make_step(struct gmg_device *device,
                                      const struct gmg_prepared_move *move)
{
  const struct gmg_peers *peers = move->peers;
  struct gmg_prepared *step = calloc(1, sizeof *step);
  if (step)
    step->signals = gmg_signals_create(device, 2 * (peers->sends + peers->receives));
  if (!step || !step->signals) {
    gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "signals");
    free(step);
    return NULL;
  }
  step->level = move->step[0]->level;
  step->stat = move->step[0]->stat;
  return step;
}

/* Adds those of all messages that go from device to device. */
static void add_signals(struct gmg_prepared *step, const struct gmg_prepared_move *move,
                        enum gmg_signal which, int turn)
{
  const struct gmg_peers *peers = move->peers;
  const struct gmg_exchange *e = move->exchange;
  const int sent = which == GMG_MAY_PACK || which == GMG_PACKED,
            room = which == GMG_MAY_PACK || which == GMG_READ_ALL;
  for (int m = 0; m < (sent ? peers->sends : peers->receives); m++) {
    const CUdeviceptr words =
      sent ? peers->words[m] : move->d_signals + (size_t)m * GMG_WORDS_BYTES;
    const int turns = in_turn(move, sent ? e->send[m].rank : e->receive[m].rank);
    if ((sent ? !peers->there[m] : !peers->here[m]) || (room && turns))
      continue;
    step->boxes = 1; /* there is something to do */
    const CUdeviceptr word = words
      + (room              ? GMG_READ_WORD
           : turns && turn ? GMG_ARRIVED_SECOND
                           : GMG_ARRIVED);
    if (which == GMG_MAY_PACK || which == GMG_MAY_READ)
      gmg_signals_await(step->signals, word);
    else
      gmg_signals_set(step->signals, word);
  }
}

void gmg_peers_prepare(struct gmg_device *device, struct gmg_prepared_move *move)
{
  const struct gmg_exchange *e = move->exchange;
  struct gmg_peers *peers = move->peers;
  peers->by_host = 0;
  for (int m = 0; m < e->sends; m++)
    peers->by_host += !peers->there[m];
  for (int m = 0; m < e->receives; m++)
    peers->by_host += !peers->here[m];
  use_buffers(device, e, move);
  for (int n = 0; n < move->turns * GMG_SIGNALS; n++) {
    const int turn = n / GMG_SIGNALS, s = n % GMG_SIGNALS;
    struct gmg_prepared *step = move->signal[turn][s] = make_step(device, move);
    if (step && s == GMG_PACKED_AND_MAY_READ) {
      add_signals(step, move, GMG_PACKED, turn);
      add_signals(step, move, GMG_MAY_READ, turn);
    } else if (step) {
      add_signals(step, move, (enum gmg_signal)s, turn);
    }
  }
}

#endif
