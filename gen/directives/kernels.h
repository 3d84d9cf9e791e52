/* Kernels and steps of a program, from what a function with directives does. */
#ifndef GEN_KERNELS_H
#define GEN_KERNELS_H

#include "values.h"

/* Makes the program's arrays, and kernels and steps of the time loop's events. */
bool gen_make_kernels(struct gen_translation *translation);
/* Makes a statement of the nest. Returns false after a rejection. */
bool gen_make_statement(struct gen_making *making, const struct gen_syntax *syntax);

#endif
