/* Values for the fields that kernels are tried on. */
#ifndef GMG_CUDA_NOISE_H
#define GMG_CUDA_NOISE_H

#include "runtime/placement.h"

/* Gives the device's copies of all fields that cycles change values between -1 and 1, since before
 * a solve they are zero, and kernels that are wrong make zeros of zeros, too. Returns -1 where
 * memory is short, or the device failed. */
int gmg_noise_fill(struct gmg_placement *placement);
/* Zeroes them again, as they are before a solve. */
void gmg_noise_clear(struct gmg_placement *placement);
/* Returns whether cycles that run now have the array: others share its memory. */
int gmg_noise_has(const struct gmg_placement *placement, const struct gmg_level_array *array);

#endif
