/* What kernels move between memory and the cores, and what they compute: counted, not measured. */
#ifndef GMG_TRAFFIC_H
#define GMG_TRAFFIC_H

#include "launch.h"

/* Bytes of one sweep over memory that runs these calls: of every field that they touch its values
 * on this rank once where the first call to touch it reads it, and once more where any of them
 * writes it. Lines and tables stay in cache. share[c] takes the part of call c, which is that of
 * the first call to read or to write a field; *touched takes the bytes of all fields, each once.
 * Both may be NULL. */
double gmg_traffic(const struct gmg_call *const *call, int calls, double *share, double *touched);

/* Fills what the call has of this: traffic, needed, touched, flops. */
void gmg_traffic_note(struct gmg_call *call);

#endif
