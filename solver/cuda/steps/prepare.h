/* Launches of a program, prepared. Of the table of functions (runtime/stepper.h). */
#ifndef GMG_CUDA_STEPS_PREPARE_H
#define GMG_CUDA_STEPS_PREPARE_H

#include "placed.h"

struct gmg_launch *gmg_steps_kernel(struct gmg_stepping *stepping,
                                    const struct gmg_kernel_launch *launch);
struct gmg_launch *gmg_steps_images(struct gmg_stepping *stepping,
                                    const struct gmg_images_launch *launch);
struct gmg_launch *gmg_steps_exchange(struct gmg_stepping *stepping, struct gmg_exchange *exchange,
                                      int array);
void gmg_steps_meet(struct gmg_stepping *stepping);
/* A kernel of operators/move.c, for the stepping's values; NULL: there is none. */
const struct gmg_cuda_kernel *gmg_steps_mover(const struct gmg_stepping *stepping,
                                              const char *name);
/* Gives a launch its table on the device and its grid, and adds it. Memory: takes what it has.
 * Returns NULL where that failed. */
struct gmg_launch *gmg_steps_finish(struct gmg_stepping *stepping, struct gmg_launch *launch);

#endif
