/* Which launches of a program may run in parts, so that messages travel beside them. */
#ifndef GMG_CUDA_STEPS_APART_H
#define GMG_CUDA_STEPS_APART_H

#include "placed.h"

/* Marks messages and kernels (cuda/run/parts.h), where all messages of this rank go from device to
 * device, and carry nothing but planes at the ends of its one box along z. After ranks have met. */
void gmg_steps_mark(struct gmg_stepping *stepping);

#endif
