/* Launches of a program, prepared. Of the table of functions (runtime/stepper.h). */
#ifndef GMG_CUDA_STEPS_PREPARE_H
#define GMG_CUDA_STEPS_PREPARE_H

#include "placed.h"

struct gmg_launch *gmg_steps_kernel(struct gmg_stepping *stepping,
                                    const struct gmg_kernel_launch *launch);
struct gmg_launch *gmg_steps_reflections(struct gmg_stepping *stepping,
                                         const struct gmg_reflection_launch *launch);
struct gmg_launch *gmg_steps_exchange(struct gmg_stepping *stepping, struct gmg_exchange *exchange,
                                      int array);
void gmg_steps_meet(struct gmg_stepping *stepping);
/* The kernel of a wall's images; NULL: there is none for that precision. */
const struct gmg_cuda_kernel *gmg_steps_reflect(const struct gmg_stepping *stepping, int minus);

#endif
