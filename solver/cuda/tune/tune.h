/* The fastest form and shape of each kernel on each level of a placement. */
#ifndef GMG_CUDA_TUNE_H
#define GMG_CUDA_TUNE_H

#include "runtime/placement.h"
#include "runtime/tune.h"

/* Of the table of functions (runtime/backend.h). Rank 0 measures, on its device and its boxes, and
 * all ranks take what it finds. A search begins with what the level was prepared with. Left as they
 * are: kernels of the coarse tail, half-sweeps that run two by two, kernels of cycles that do not
 * run now, and those for which a copy of what they write has no room. Kernels run back to back on
 * values that are noise, so that small levels are timed with what they read in the cache. The
 * levels go on as they were prepared: solvers that are set up later are tuned. */
gmg_status gmg_cuda_tune(struct gmg_placement *placement, struct gmg_tune *tune);

#endif
