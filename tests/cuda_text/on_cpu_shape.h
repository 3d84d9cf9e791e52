/* Shapes of thread blocks for tests: small, so that small boxes are smaller than, equal to and no
 * multiple of a block. */
#ifndef GMG_TEST_ON_CPU_SHAPE_H
#define GMG_TEST_ON_CPU_SHAPE_H

#include "cuda/runtime/cuda_kernel.h"

static inline struct gmg_cuda_shape on_cpu_shape(void)
{
  const struct gmg_cuda_shape shape = {8, 8, 2, 4, 2, 1};
  return shape;
}

#endif
