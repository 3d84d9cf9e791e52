/* What the device is to run next: calls in the order in which they came, until the host needs a
 * result. Then the list is looked up among those that ran before, each of which is a CUDA graph; a
 * new one becomes a graph. */
#ifndef GMG_CUDA_QUEUE_H
#define GMG_CUDA_QUEUE_H

#include "prepared.h"

enum gmg_queue_mode { GMG_QUEUE_GRAPHS, GMG_QUEUE_TIMED };

struct gmg_queue;
struct gmg_queue *gmg_queue_create(struct gmg_device *device);
void gmg_queue_destroy(struct gmg_queue **queue);
/* How lists run: as graphs, or call by call with their times. */
void gmg_queue_set_mode(struct gmg_queue *queue, enum gmg_queue_mode mode);
void gmg_queue_add(struct gmg_queue *queue, struct gmg_prepared *prepared,
                   const double scalar[GMG_MAX_SCALARS], int reduces);
/* Starts what was collected. */
void gmg_queue_flush(struct gmg_queue *queue);
/* Then waits for it. */
void gmg_queue_wait(struct gmg_queue *queue);
/* Forgets all graphs: calls that they are of are about to go. */
void gmg_queue_forget(struct gmg_queue *queue);

#endif
