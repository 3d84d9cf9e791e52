/* Arrays, kernels, steps and reductions of a program, from what a function with directives does. */
#ifndef GEN_STEPS_H
#define GEN_STEPS_H

#include "translation.h"

/* Makes them of the time loop's events. Returns false after a rejection. */
bool gen_make_steps(struct gen_translation *translation);

#endif
