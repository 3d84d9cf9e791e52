/* Explicit programs on the device: memory of their arrays, and their launches. */
#ifndef GMG_CUDA_STEPS_H
#define GMG_CUDA_STEPS_H

#include "runtime/stepper.h"

extern const struct gmg_stepper gmg_cuda_stepper;

#endif
