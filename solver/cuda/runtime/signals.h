/* Signals between devices: words of their memory that the stream of one rank sets and that of
 * another one waits for, so that no host waits between a launch and what another device has to do
 * before it. A word is 1 where what it stands for may begin; who waits for it puts it back to 0. */
#ifndef GMG_CUDA_SIGNALS_H
#define GMG_CUDA_SIGNALS_H

#include "device.h"

/* Waits and settings of words, in order, as one step of a stream or of a graph. */
struct gmg_signals {
  CUstreamBatchMemOpParams *operation;
  int count;
  struct gmg_signals *next; /* of the device's */
};

/* Whether the driver has what they take. */
int gmg_signals_there(const struct gmg_device *device);
/* Chooses how streams set words and wait: by a kernel, where no other process on this machine uses
 * the device, else by operations on memory. Calls: by all ranks of the machine. */
void gmg_signals_choose(struct gmg_device *device);
void gmg_signals_unload(struct gmg_device *device);
/* So many operations at most, none yet. Memory: gives them; NULL out of memory. */
struct gmg_signals *gmg_signals_create(struct gmg_device *device, int most);
void gmg_signals_destroy(struct gmg_device *device, struct gmg_signals **signals);
/* Adds a wait until a word is 1, after which it is 0; and a word that becomes 1, after all that is
 * done before. */
void gmg_signals_await(struct gmg_signals *signals, CUdeviceptr word);
void gmg_signals_set(struct gmg_signals *signals, CUdeviceptr word);
/* Puts them on the device's stream, or into a graph after other nodes. Return whether that failed.
 */
int gmg_signals_start(struct gmg_device *device, const struct gmg_signals *signals);
int gmg_signals_node(struct gmg_device *device, const struct gmg_signals *signals, CUgraph graph,
                     CUgraphNode *node, const CUgraphNode *after, size_t afters);
/* How long the stream waits is looked at once in a long list of launches, at the same place of
 * each, so that lists stay alike, and now and then in a short one: whether it is at the exchange
 * that comes. gmg_signals_start_timed puts waits on the stream, after a list that has ended there,
 * whose time is added to what the context has waited for messages, as often as they stand for
 * others. */
int gmg_signals_timed(struct gmg_device *device);
void gmg_signals_end_list(struct gmg_device *device);
void gmg_signals_start_timed(struct gmg_device *device, const struct gmg_signals *signals);
/* Waits for the stream, where it may wait for other ranks: once MPI or a device has failed on one
 * of them nobody waits for it any more, and what the stream then computes is of no use. */
void gmg_signals_synchronize(struct gmg_device *device);

#endif
