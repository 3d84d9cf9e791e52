/* Kernels and steps of a program, from what a function with directives does. */
#ifndef GEN_KERNELS_H
#define GEN_KERNELS_H

#include "translation.h"

/* Makes the program's arrays, and kernels and steps of the time loop's events. */
bool gen_make_kernels(struct gen_translation *translation);

#endif
