#include "peers.h"

#include "system/alarm.h"
#include "mesh/exchange_plan.h"
#include "cuda/memory/mirror.h"

#include <stdlib.h>
#include <string.h>

#if GMG_WITH_MPI

enum { MEET_TAG = GMG_MESSAGE_TAG + 1, ANSWER_TAG, READY_TAG, DONE_TAG };

struct gmg_peers {
  int sends, receives;
  CUdeviceptr *from;   /* by message that is received: where the other rank packs it; 0: it comes by
                          way of the host */
  CUdeviceptr *opened; /* the other rank's memory that this is in */
  int *fetched;        /* by message that is sent: 1: the other rank fetches it */
  MPI_Request *request;
};

/* What a rank tells those that it sends to. */
struct offer {
  CUipcMemHandle handle;
  uint64_t offset;
  uint32_t word; /* stands there for a moment */
  int32_t open;  /* 1: the other rank may try */
};

static size_t bytes_of(const struct gmg_exchange *e, int64_t elements)
{
  return (size_t)elements * e->to->element_bytes;
}

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
  peers->from = calloc(receives + 1, sizeof *peers->from);
  peers->opened = calloc(receives + 1, sizeof *peers->opened);
  peers->fetched = calloc(sends + 1, sizeof *peers->fetched);
  peers->request = calloc(sends + receives + 1, sizeof *peers->request);
  if (peers->from && peers->opened && peers->fetched && peers->request)
    return peers;
  gmg_peers_destroy(NULL, &peers);
  return NULL;
}

void gmg_peers_destroy(struct gmg_device *device, struct gmg_peers **peers)
{
  if (!*peers)
    return;
  for (int m = 0; (*peers)->opened && m < (*peers)->receives; m++)
    if ((*peers)->opened[m])
      device->driver->cuIpcCloseMemHandle((*peers)->opened[m]);
  free((*peers)->from);
  free((*peers)->opened);
  free((*peers)->fetched);
  free((*peers)->request);
  free(*peers);
  *peers = NULL;
}

/* What is said of the nth message that is sent; its word is put where it will be packed. */
static struct offer make_offer(struct gmg_device *device, const struct gmg_exchange *e,
                               const struct gmg_prepared_move *move, int n)
{
  struct offer offer = {.open = 0};
  CUdeviceptr base = 0;
  size_t size;
  if (!move || !on_this_machine(e->comm, e->send[n].rank))
    return offer;
  const CUdeviceptr at = move->d_send + bytes_of(e, e->send[n].first);
  offer.word = 0x9E3779B9u * (uint32_t)(e->comm->rank + 1) ^ (uint32_t)(at >> 2) ^ (uint32_t)n;
  offer.open = device->driver->cuMemGetAddressRange(&base, &size, move->d_send) == CUDA_SUCCESS
    && device->driver->cuIpcGetMemHandle(&offer.handle, base) == CUDA_SUCCESS
    && device->driver->cuMemcpyHtoDAsync(at, &offer.word, sizeof offer.word, device->stream)
      == CUDA_SUCCESS;
  offer.offset = at - base;
  return offer;
}

/* Opens the memory that is offered and looks for the word there. */
static int try_offer(struct gmg_device *device, const struct gmg_exchange *e,
                     const struct gmg_prepared_move *move, int n, const struct offer *offer)
{
  struct gmg_peers *peers = move->peers;
  const CUdeviceptr to = move->d_receive + bytes_of(e, e->receive[n].first);
  uint32_t word = ~offer->word;
  if (peers->from[n])
    return 1;
  if (device->driver->cuIpcOpenMemHandle(&peers->opened[n], offer->handle,
                                         CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
      != CUDA_SUCCESS) {
    peers->opened[n] = 0;
    return 0;
  }
  const CUdeviceptr from = peers->opened[n] + offer->offset;
  if (device->driver->cuMemcpyDtoDAsync(to, from, sizeof word, device->stream) == CUDA_SUCCESS
      && device->driver->cuMemcpyDtoHAsync(&word, to, sizeof word, device->stream) == CUDA_SUCCESS
      && device->driver->cuStreamSynchronize(device->stream) == CUDA_SUCCESS && word == offer->word)
    peers->from[n] = from;
  return peers->from[n] != 0;
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
  int found = 0, fetched = 0;
  if (move && !move->peers)
    move->peers = create(e);
  struct gmg_prepared_move *const prepared = move && move->peers ? move : NULL;
  gmg_device_enter(device);
  for (int m = 0; m < e->sends; m++)
    meeting->offer[0][m] = make_offer(device, e, prepared, m);
  device->driver->cuStreamSynchronize(device->stream);
  meeting->given_up = meeting->given_up
    || swap(e, 0, meeting->offer[0], meeting->offer[1], (int)sizeof(struct offer), MEET_TAG,
            meeting->request);
  for (int m = 0; m < e->receives && !meeting->given_up; m++) {
    const struct offer *offer = &meeting->offer[1][m];
    meeting->answer[0][m] = prepared && offer->open && try_offer(device, e, prepared, m, offer);
    found += meeting->answer[0][m];
  }
  meeting->given_up = meeting->given_up
    || swap(e, 1, meeting->answer[0], meeting->answer[1], (int)sizeof(int32_t), ANSWER_TAG,
            meeting->request);
  for (int m = 0; prepared && m < e->sends && !meeting->given_up; m++)
    fetched += prepared->peers->fetched[m] = meeting->answer[1][m];
  if (prepared && found + fetched == 0)
    gmg_peers_destroy(device, &prepared->peers);
  gmg_device_leave(device);
  return found;
}

/* Values by way of the host, as gmg_exchange_messages has them, and of others that they are ready.
 */
static int start(struct gmg_exchange *e, const struct gmg_prepared_move *move)
{
  struct gmg_peers *peers = move->peers;
  const MPI_Datatype type = e->to->element_bytes == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  int error = MPI_SUCCESS, n = 0;
  for (int m = 0; m < e->receives && !error; m++, n++) {
    const struct gmg_message *message = &e->receive[m];
    const int fetched = peers->from[m] != 0;
    error = MPI_Irecv((char *)move->receive + bytes_of(e, message->first),
                      fetched ? 0 : message->count, type, message->rank,
                      fetched ? READY_TAG : GMG_MESSAGE_TAG, e->comm->mpi, &peers->request[n]);
  }
  for (int m = 0; m < e->sends && !error; m++, n++) {
    const struct gmg_message *message = &e->send[m];
    error =
      MPI_Isend((char *)move->send + bytes_of(e, message->first),
                peers->fetched[m] ? 0 : message->count, type, message->rank,
                peers->fetched[m] ? READY_TAG : GMG_MESSAGE_TAG, e->comm->mpi, &peers->request[n]);
  }
  return error ? gmg_comm_failed(e->comm, error, "a message")
               : gmg_comm_wait(e->comm, peers->request, n, "MPI_Testall");
}

/* What was fetched may be packed anew from here on. */
static int finish(struct gmg_exchange *e, const struct gmg_prepared_move *move)
{
  struct gmg_peers *peers = move->peers;
  int error = MPI_SUCCESS, n = 0;
  for (int m = 0; m < e->sends && !error; m++)
    if (peers->fetched[m])
      error =
        MPI_Irecv(NULL, 0, MPI_BYTE, e->send[m].rank, DONE_TAG, e->comm->mpi, &peers->request[n++]);
  for (int m = 0; m < e->receives && !error; m++)
    if (peers->from[m])
      error = MPI_Isend(NULL, 0, MPI_BYTE, e->receive[m].rank, DONE_TAG, e->comm->mpi,
                        &peers->request[n++]);
  return error ? gmg_comm_failed(e->comm, error, "a message")
               : gmg_comm_wait(e->comm, peers->request, n, "MPI_Testall");
}

int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  struct gmg_exchange *e = move->exchange;
  const struct gmg_peers *peers = move->peers;
  int by_host = 0;
  for (int m = 0; m < e->sends; m++)
    by_host += !peers->fetched[m];
  if (by_host) {
    GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, move->send, move->d_send, move->send_bytes,
                   device->stream);
    gmg_device_synchronize(device);
  }
  int error = start(e, move);
  for (int m = 0; m < e->receives && !error; m++) {
    const size_t at = bytes_of(e, e->receive[m].first), bytes = bytes_of(e, e->receive[m].count);
    if (peers->from[m])
      GMG_DEVICE_TRY(device, cuMemcpyDtoDAsync, move->d_receive + at, peers->from[m], bytes,
                     device->stream);
    else
      GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, move->d_receive + at, (char *)move->receive + at,
                     bytes, device->stream);
  }
  gmg_device_synchronize(device);
  return error ? error : finish(e, move);
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

int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move)
{
  (void)device, (void)move;
  return 0;
}

#endif
