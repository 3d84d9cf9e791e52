/* The fastest form and shape of each kernel on each level of a placement. */
#ifndef GMG_CUDA_TUNE_H
#define GMG_CUDA_TUNE_H

#include "runtime/placement.h"
#include "runtime/tune.h"

/* Of the table of functions (runtime/backend.h). Rank 0 measures, on its device and its boxes, and
 * all ranks take what it finds. Kernels of the coarse tail, and half-sweeps that run two by two,
 * are as they are. The levels go on as they were prepared: solvers that are set up later are tuned.
 */
gmg_status gmg_cuda_tune(struct gmg_placement *placement, struct gmg_tune *tune);

#endif
