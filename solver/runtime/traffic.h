/* What kernels move between memory and the cores, at least: counted, not measured. */
#ifndef GMG_TRAFFIC_H
#define GMG_TRAFFIC_H

#include "launch.h"

/* Bytes of one sweep over memory that runs these calls: of every field that they touch its values
 * on this rank once where the first call to touch it reads it, and once more where any of them
 * writes it. Lines and tables stay in cache. */
double gmg_traffic(const struct gmg_call *const *call, int calls);

#endif
