/* All steps of a block on one box, then on the next one: a box that stays in cache is read from
 * memory once for several steps. */
#ifndef GMG_PROGRAMS_PASS_H
#define GMG_PROGRAMS_PASS_H

#include "program.h"

/* Whether this rank has boxes enough for its threads. */
int gmg_pass_suits(const struct gmg_program *program);
/* Runs the last rounds of the block, after its exchanges. The arrays are permuted afterwards as
 * they were before: the caller permutes them. */
void gmg_pass_boxes(struct gmg_program *program, int rounds);

#endif
