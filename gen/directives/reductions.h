/* Sums over cells, as reductions of the program, which are found at the end of a step. */
#ifndef GEN_REDUCTIONS_H
#define GEN_REDUCTIONS_H

#include "translation.h"

/* Makes those of event e; program_array: by data. Returns false after a rejection. */
bool gen_make_sums(struct gen_translation *translation, int e, const int *program_array);

#endif
