/* A placement's levels on the device: which, with what memory and which kernels. */
#ifndef GMG_CUDA_PLACE_H
#define GMG_CUDA_PLACE_H

#include "runtime/backend.h"
#include "runtime/placement.h"

/* Of the table of functions (runtime/backend.h). */
int gmg_cuda_predict(struct gmg_placement *placement, struct gmg_device_room *room, char *why,
                     size_t size);
gmg_status gmg_cuda_attach(struct gmg_placement *placement, char *why, size_t size);
void gmg_cuda_renew_sources(struct gmg_placement *placement);
void gmg_cuda_detach(struct gmg_placement *placement, enum gmg_keep keep);
void gmg_cuda_raise(struct gmg_placement *placement);
void gmg_cuda_divide(struct gmg_placement *placement, int host_from);

#endif
