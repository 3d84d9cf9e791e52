/* What kernels move between memory and the cores, at least: counted, not measured. */
#ifndef GMG_OPENMP_TRAFFIC_H
#define GMG_OPENMP_TRAFFIC_H

#include "region.h"

/* Bytes of one sweep over memory that runs these stages: of every field that they touch its values on this rank once where the
 * first stage to touch it reads it, and once more where any of them writes it. Lines and tables stay in cache. */
double gmg_traffic(const struct gmg_stage *stage, int stages);

#endif
