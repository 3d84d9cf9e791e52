/* Messages between ranks of one machine that never leave its GPUs: the one that sends a message
 * packs it into the other one's memory, and signals say when it is there and when it was read
 * (cuda/runtime/signals.h), so that no host waits. */
#ifndef GMG_CUDA_PEERS_H
#define GMG_CUDA_PEERS_H

#include "prepared.h"

/* Room for meetings about exchanges of so many messages at most, those sent and those received.
 * Memory: gives it; NULL out of memory. */
struct gmg_meeting;
struct gmg_meeting *gmg_meeting_create(int messages);
void gmg_meeting_destroy(struct gmg_meeting **meeting);
/* Finds out which messages of an exchange can go so, by trying. move: made for it on this rank;
 * NULL: it is not, and all its messages go by way of the host. Calls: by all ranks of the exchange,
 * in one order. Returns how many of those that this rank gets. */
int gmg_peers_meet(struct gmg_device *device, struct gmg_meeting *meeting,
                   struct gmg_exchange *exchange, struct gmg_prepared_move *move);
void gmg_peers_destroy(struct gmg_device *device, struct gmg_peers **peers);
/* How many of the messages that this rank sends and gets do not go from device to device. */
int gmg_peers_by_host(const struct gmg_peers *peers);
/* These messages, of a move whose values are packed, in send too; they are in d_receive after what
 * the stream has then. Returns an MPI error code. */
int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move);

#endif
