/* A program whose kernels have another launch form or shape on a GPU than gmg-gen gave them. */
#ifndef GMG_BENCH_PROGRAM_SHAPES_H
#define GMG_BENCH_PROGRAM_SHAPES_H

#include "cuda/runtime/cuda_kernel.h"
#include "program_table.h"

/* Shapes to try: of single steps, and of two in one pass. */
enum { PROGRAM_SHAPES = 28, PROGRAM_PASS_SHAPES = 29 };
extern const struct gmg_cuda_shape program_shape[PROGRAM_SHAPES];
extern const struct gmg_cuda_shape program_pass_shape[PROGRAM_PASS_SHAPES];

/* A copy of a program, each of whose kernels runs in its n-th form with that shape; NULL where one
 * has fewer forms, or out of memory. The copy lasts as long as the process. */
const struct gmg_program_descriptor *program_shaped(const struct gmg_program_descriptor *made,
                                                    int form, const struct gmg_cuda_shape *shape);
/* A copy of a program whose kernel for two steps in one pass has that shape; NULL where there is no
 * such kernel, or out of memory. */
const struct gmg_program_descriptor *program_twice_shaped(const struct gmg_program_descriptor *made,
                                                          const struct gmg_cuda_shape *shape);

#endif
