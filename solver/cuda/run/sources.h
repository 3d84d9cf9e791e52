/* What boundary values add to the right side, added on the device. */
#ifndef GMG_CUDA_SOURCES_H
#define GMG_CUDA_SOURCES_H

#include "ready.h"

/* The kernels for it: at most two go to the list. Returns their number; -1 where the host must add.
 */
int gmg_sources_kernels(const struct gmg_solver *solver, const struct gmg_cuda_kernel *list[2]);
/* Makes the solver's sources ready; their kernels are loaded. Returns -1 out of memory. */
int gmg_sources_create(struct gmg_solver *solver);
void gmg_sources_destroy(struct gmg_solver *solver);

#endif
