/* A program whose kernels have another launch form or shape on a GPU than gmg-gen gave them. */
#ifndef GMG_BENCH_PROGRAM_SHAPES_H
#define GMG_BENCH_PROGRAM_SHAPES_H

#include "cuda/runtime/cuda_kernel.h"
#include "program_table.h"

/* A copy of a program, each of whose kernels runs in its n-th form with that shape; NULL where one
 * has fewer forms, or out of memory. The copy lasts as long as the process. */
const struct gmg_program_descriptor *program_shaped(const struct gmg_program_descriptor *made,
                                                    int form, const struct gmg_cuda_shape *shape);

#endif
