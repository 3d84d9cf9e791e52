/* What a move does once it is known which of its messages go from device to device: where its steps
 * pack and unpack, and the signals around them. */
#ifndef GMG_CUDA_PEER_STEPS_H
#define GMG_CUDA_PEER_STEPS_H

#include "prepared.h"
#include "mesh/exchange_plan.h"

#if GMG_WITH_MPI

struct gmg_peers {
  int sends, receives;
  CUdeviceptr *there;  /* by message that is sent: where the other rank reads it; 0: it goes by way
                          of the host */
  CUdeviceptr *opened; /* the other rank's memory that this is in */
  CUdeviceptr *words;  /* there, of the message: its signals */
  size_t *second;      /* how far from there its second buffer is; 0: there is none */
  int *here;           /* by message that is received: 1: the other rank writes it here */
  int by_host;         /* messages of either kind that do not go from device to device */
  MPI_Request *request;
};

/* Signals of a message, in the memory of the rank that gets it: it is there, in the first or the
 * second buffer; there is room for the next one. */
enum {
  GMG_ARRIVED,
  GMG_ARRIVED_SECOND = 16,
  GMG_READ_WORD = 32,
  GMG_WORDS_BYTES = GMG_SIGNALS_OF_MESSAGE
};

static inline size_t gmg_message_bytes(const struct gmg_exchange *e, int64_t elements)
{
  return (size_t)elements * e->to->element_bytes;
}

/* Of a move with peers. Memory: gives its signals, where the device has not failed. */
void gmg_peers_prepare(struct gmg_device *device, struct gmg_prepared_move *move);

#endif

#endif
