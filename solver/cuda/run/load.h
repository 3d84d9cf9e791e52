/* The kernels of a placement's calls, on the device. */
#ifndef GMG_CUDA_LOAD_H
#define GMG_CUDA_LOAD_H

#include "runtime/placement.h"

/* Loads the kernels of all calls and moves, and the program of the coarse tail; compiles those that
 * are not in the cache. Returns -1 where that failed, and the device says why. */
int gmg_load_kernels(struct gmg_placement *placement);

#endif
