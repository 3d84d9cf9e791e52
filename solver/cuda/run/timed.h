/* Calls one by one with their times, for reports: as a graph has them, but with events of the
 * device between them, and inside the coarse tail with the clock of a multiprocessor. */
#ifndef GMG_CUDA_TIMED_H
#define GMG_CUDA_TIMED_H

#include "prepared.h"

struct gmg_timer;
/* Runs the entries, waits for them, and adds to their seconds. The timer is made where it is NULL.
 */
void gmg_timer_run(struct gmg_device *device, struct gmg_timer **timer,
                   const struct gmg_entry *entry, int entries);
void gmg_timer_destroy(struct gmg_device *device, struct gmg_timer **timer);

#endif
