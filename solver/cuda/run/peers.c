#include "peers.h"

#include "system/alarm.h"
#include "mesh/exchange_plan.h"
#include "cuda/memory/mirror.h"
#include "cuda/runtime/signals.h"
#include "peer_steps.h"

#include <stdlib.h>
#include <string.h>

#if GMG_WITH_MPI

enum { MEET_TAG = GMG_MESSAGE_TAG + 1, ANSWER_TAG };

/* What a rank tells those that it gets messages from. */
struct offer {
  CUipcMemHandle handle;
  uint64_t offset, words; /* of the message, and of its signals */
  uint64_t second;        /* from the message on; 0: there is no second buffer */
  uint32_t word;          /* stands there for a moment */
  int32_t open;           /* 1: the other rank may try; 2: it has tried before */
};

static int on_this_machine(const struct gmg_comm *comm, int rank)
{
  MPI_Group all, here;
  int there = MPI_UNDEFINED;
  if (comm->machine == MPI_COMM_NULL || MPI_Comm_group(comm->mpi, &all)
      || MPI_Comm_group(comm->machine, &here))
    return 0;
  if (MPI_Group_translate_ranks(all, 1, &rank, here, &there) != MPI_SUCCESS)
    there = MPI_UNDEFINED; /* by way of the host, then */
  MPI_Group_free(&all);
  MPI_Group_free(&here);
  return there != MPI_UNDEFINED;
}

static struct gmg_peers *create(const struct gmg_exchange *e)
{
  const size_t sends = (size_t)e->sends, receives = (size_t)e->receives;
  struct gmg_peers *peers = calloc(1, sizeof *peers); /* the context's, as the move */
  if (!peers)
    return NULL;
  peers->sends = e->sends;
  peers->receives = e->receives;
  peers->there = calloc(sends + 1, sizeof *peers->there);
  peers->opened = calloc(sends + 1, sizeof *peers->opened);
  peers->words = calloc(sends + 1, sizeof *peers->words);
  peers->second = calloc(sends + 1, sizeof *peers->second);
  peers->here = calloc(receives + 1, sizeof *peers->here);
  peers->request = calloc(sends + receives + 1, sizeof *peers->request);
  if (peers->there && peers->opened && peers->words && peers->second && peers->here
      && peers->request)
    return peers;
  gmg_peers_destroy(NULL, &peers);
  return NULL;
}

void gmg_peers_destroy(struct gmg_device *device, struct gmg_peers **peers)
{
  if (!*peers)
    return;
  for (int m = 0; (*peers)->opened && m < (*peers)->sends; m++)
    if ((*peers)->opened[m])
      device->driver->cuIpcCloseMemHandle((*peers)->opened[m]);
  free((*peers)->there);
  free((*peers)->opened);
  free((*peers)->words);
  free((*peers)->second);
  free((*peers)->here);
  free((*peers)->request);
  free(*peers);
  *peers = NULL;
}

/* What is said of the nth message that this rank gets; its word is put where it will arrive. */
static struct offer make_offer(struct gmg_device *device, const struct gmg_exchange *e,
                               const struct gmg_prepared_move *move, int n)
{
  static const uint32_t signals[GMG_WORDS_BYTES / sizeof(uint32_t)] = {
    [GMG_READ_WORD / sizeof(uint32_t)] = 1};
  struct offer offer = {.open = 0};
  CUdeviceptr base = 0;
  size_t size;
  if (!move || !on_this_machine(e->comm, e->receive[n].rank) || !gmg_signals_there(device))
    return offer;
  if (move->peers->here[n]) {
    offer.open = 2;
    return offer;
  }
  const CUdeviceptr at = move->d_receive + gmg_message_bytes(e, e->receive[n].first),
                    words = move->d_signals + (size_t)n * GMG_WORDS_BYTES;
  offer.word = 0x9E3779B9u * (uint32_t)(e->comm->rank + 1) ^ (uint32_t)(at >> 2) ^ (uint32_t)n;
  offer.open = device->driver->cuMemGetAddressRange(&base, &size, at) == CUDA_SUCCESS
    && device->driver->cuIpcGetMemHandle(&offer.handle, base) == CUDA_SUCCESS
    && device->driver->cuMemcpyHtoDAsync(at, &offer.word, sizeof offer.word, device->stream)
      == CUDA_SUCCESS
    && device->driver->cuMemcpyHtoDAsync(words, signals, sizeof signals, device->stream)
      == CUDA_SUCCESS;
  offer.offset = at - base;
  offer.words = words - base;
  offer.second = move->second;
  return offer;
}

/* Opens the memory that is offered and looks for the word there. */
static int try_offer(struct gmg_device *device, const struct gmg_exchange *e,
                     const struct gmg_prepared_move *move, int n, const struct offer *offer)
{
  struct gmg_peers *peers = move->peers;
  const CUdeviceptr own = move->d_send + gmg_message_bytes(e, e->send[n].first);
  uint32_t word = ~offer->word;
  if (offer->open != 1)
    return offer->open && peers->there[n];
  if (!gmg_signals_there(device)
      || device->driver->cuIpcOpenMemHandle(&peers->opened[n], offer->handle,
                                            CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        != CUDA_SUCCESS) {
    peers->opened[n] = 0;
    return 0;
  }
  const CUdeviceptr there = peers->opened[n] + offer->offset;
  if (device->driver->cuMemcpyDtoDAsync(own, there, sizeof word, device->stream) == CUDA_SUCCESS
      && device->driver->cuMemcpyDtoHAsync(&word, own, sizeof word, device->stream) == CUDA_SUCCESS
      && device->driver->cuStreamSynchronize(device->stream) == CUDA_SUCCESS
      && word == offer->word) {
    peers->there[n] = there;
    peers->words[n] = peers->opened[n] + offer->words;
    peers->second[n] = offer->second;
  }
  return peers->there[n] != 0;
}

/* Room for what is said of the messages of one exchange. */
struct gmg_meeting {
  struct offer *offer[2]; /* of this rank, and of others */
  int32_t *answer[2];
  MPI_Request *request;
  int given_up; /* 1: MPI failed, and may still write here */
};

struct gmg_meeting *gmg_meeting_create(int messages)
{
  const size_t most = (size_t)messages + 1;
  struct gmg_meeting *meeting = calloc(1, sizeof *meeting);
  for (int n = 0; meeting && n < 2; n++) {
    meeting->offer[n] = calloc(most, sizeof(struct offer));
    meeting->answer[n] = calloc(most, sizeof(int32_t));
  }
  if (meeting)
    meeting->request = calloc(most, sizeof(MPI_Request));
  if (meeting
      && (!meeting->offer[0] || !meeting->offer[1] || !meeting->answer[0] || !meeting->answer[1]
          || !meeting->request))
    gmg_meeting_destroy(&meeting);
  return meeting;
}

void gmg_meeting_destroy(struct gmg_meeting **meeting)
{
  if (*meeting && (*meeting)->given_up) {
    gmg_alarm_keep(*meeting);
    *meeting = NULL;
  }
  for (int n = 0; *meeting && n < 2; n++) {
    free((*meeting)->offer[n]);
    free((*meeting)->answer[n]);
  }
  if (*meeting)
    free((*meeting)->request);
  free(*meeting);
  *meeting = NULL;
}

/* Bytes of every message one way, and back. Of an error all ranks learn. */
static int swap(struct gmg_exchange *e, int back, void *out, void *in, int bytes, int tag,
                MPI_Request *request)
{
  const struct gmg_message *const to = back ? e->receive : e->send,
                                  *const from = back ? e->send : e->receive;
  const int outs = back ? e->receives : e->sends, ins = back ? e->sends : e->receives;
  int error = MPI_SUCCESS;
  for (int m = 0; m < outs && error == MPI_SUCCESS; m++)
    error = MPI_Isend((char *)out + (size_t)m * (size_t)bytes, bytes, MPI_BYTE, to[m].rank, tag,
                      e->comm->mpi, &request[m]);
  if (error != MPI_SUCCESS)
    return gmg_comm_failed(e->comm, error, "MPI_Isend");
  for (int m = 0; m < ins && error == MPI_SUCCESS; m++)
    error = MPI_Irecv((char *)in + (size_t)m * (size_t)bytes, bytes, MPI_BYTE, from[m].rank, tag,
                      e->comm->mpi, &request[outs + m]);
  if (error != MPI_SUCCESS)
    return gmg_comm_failed(e->comm, error, "MPI_Irecv");
  return gmg_comm_wait(e->comm, request, outs + ins, "MPI_Testall");
}

int gmg_peers_meet(struct gmg_device *device, struct gmg_meeting *meeting, struct gmg_exchange *e,
                   struct gmg_prepared_move *move)
{
  int found = 0, reached = 0;
  const int met = move && move->peers; /* before: what was found then stays */
  if (move && !met)
    move->peers = create(e);
  struct gmg_prepared_move *const prepared = move && move->peers ? move : NULL;
  gmg_device_enter(device);
  for (int m = 0; m < e->receives; m++)
    meeting->offer[0][m] = make_offer(device, e, prepared, m);
  gmg_device_synchronize(device);
  meeting->given_up = meeting->given_up
    || swap(e, 1, meeting->offer[0], meeting->offer[1], (int)sizeof(struct offer), MEET_TAG,
            meeting->request);
  for (int m = 0; m < e->sends && !meeting->given_up; m++) {
    const struct offer *offer = &meeting->offer[1][m];
    meeting->answer[0][m] = prepared && offer->open && try_offer(device, e, prepared, m, offer);
    reached += meeting->answer[0][m];
  }
  meeting->given_up = meeting->given_up
    || swap(e, 0, meeting->answer[0], meeting->answer[1], (int)sizeof(int32_t), ANSWER_TAG,
            meeting->request);
  for (int m = 0; prepared && m < e->receives && !meeting->given_up; m++)
    found += prepared->peers->here[m] = meeting->answer[1][m];
  if (prepared && found + reached == 0)
    gmg_peers_destroy(device, &prepared->peers);
  else if (prepared && !met && !meeting->given_up)
    gmg_peers_prepare(device, prepared);
  gmg_device_leave(device);
  return found;
}

/* Exchanges the messages that go by way of the host. */
static int exchange_by_host(struct gmg_exchange *e, const struct gmg_prepared_move *move)
{
  struct gmg_peers *peers = move->peers;
  const MPI_Datatype type = e->to->element_bytes == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  int error = MPI_SUCCESS, n = 0;
  for (int m = 0; m < e->receives && !error; m++)
    if (!peers->here[m])
      error = MPI_Irecv((char *)move->receive + gmg_message_bytes(e, e->receive[m].first),
                        e->receive[m].count, type, e->receive[m].rank, GMG_MESSAGE_TAG,
                        e->comm->mpi, &peers->request[n++]);
  for (int m = 0; m < e->sends && !error; m++)
    if (!peers->there[m])
      error =
        MPI_Isend((char *)move->send + gmg_message_bytes(e, e->send[m].first), e->send[m].count,
                  type, e->send[m].rank, GMG_MESSAGE_TAG, e->comm->mpi, &peers->request[n++]);
  return error ? gmg_comm_failed(e->comm, error, "a message")
               : gmg_comm_wait(e->comm, peers->request, n, "MPI_Testall");
}

int gmg_peers_by_host(const struct gmg_peers *peers)
{
  return peers->by_host;
}

int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  struct gmg_exchange *e = move->exchange;
  const int error = exchange_by_host(e, move);
  for (int m = 0; m < e->receives && !error; m++) {
    const size_t at = gmg_message_bytes(e, e->receive[m].first),
                 bytes = gmg_message_bytes(e, e->receive[m].count);
    if (!move->peers->here[m])
      GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, move->d_receive + at, (char *)move->receive + at,
                     bytes, device->stream);
  }
  return error;
}

#else

struct gmg_meeting *gmg_meeting_create(int messages)
{
  (void)messages;
  return NULL;
}

void gmg_meeting_destroy(struct gmg_meeting **meeting)
{
  (void)meeting;
}

int gmg_peers_meet(struct gmg_device *device, struct gmg_meeting *meeting,
                   struct gmg_exchange *exchange, struct gmg_prepared_move *move)
{
  (void)device, (void)meeting, (void)exchange, (void)move;
  return 0;
}

void gmg_peers_destroy(struct gmg_device *device, struct gmg_peers **peers)
{
  (void)device, (void)peers;
}

int gmg_peers_by_host(const struct gmg_peers *peers)
{
  (void)peers;
  return 0;
}

int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  (void)device, (void)move;
  return 0;
}

#endif
