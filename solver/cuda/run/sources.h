/* What boundary values add to the right side, added on the device. */
#ifndef GMG_CUDA_SOURCES_H
#define GMG_CUDA_SOURCES_H

#include "cuda/runtime/device.h"
#include "runtime/placement.h"

/* The kernels for it in the cycles of that number (placement->cycle): at most two go to the list.
 * Returns how many; -1 where the host must add. */
int gmg_sources_kernels(const struct gmg_placement *placement, int cycle,
                        const struct gmg_cuda_kernel *list[2]);
/* Prepares the sources of cycles that have none yet; their kernels are loaded. Returns -1 out of
 * memory. */
int gmg_sources_create(struct gmg_placement *placement, int cycle);
/* Takes the values of those that are prepared anew. */
void gmg_sources_renew(struct gmg_placement *placement);
void gmg_sources_destroy(struct gmg_placement *placement, int cycle);
/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_add_sources(struct gmg_placement *placement, double scale);

#endif
