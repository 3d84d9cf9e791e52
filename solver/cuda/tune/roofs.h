/* What a GPU can do at its best: how fast its memory and its cache move data, how fast it computes,
 * and what a launch and a barrier take. */
#ifndef GMG_CUDA_ROOFS_H
#define GMG_CUDA_ROOFS_H

#include "gmg.h"

/* Of the table of functions (runtime/backend.h). Memory: takes and gives back 24 times the device's
 * cache. */
void gmg_cuda_measure(gmg_context *context, double seconds, gmg_roofs *roofs);

#endif
