/* Messages between ranks of one machine that never leave its GPUs: the one that gets a message
 * fetches it from the other one's memory, where that one packed it. */
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
/* The messages of a move whose values are packed; they are in d_receive after what the stream has
 * then. Returns an MPI error code. */
int gmg_peers_messages(struct gmg_device *device, const struct gmg_prepared_move *move);

#endif
