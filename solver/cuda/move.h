/* Moves between arrays on the device: ghosts, and values between levels that are cut in different ways. */
#ifndef GMG_CUDA_MOVE_H
#define GMG_CUDA_MOVE_H

#include "device.h"

#endif
