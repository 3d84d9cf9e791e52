/* All steps of a block on one box in one sweep over memory (time skewing): kernel after kernel on
 * each plane, every one as many planes and rows behind those before it as they read, so that a
 * plane comes from memory once for all of them. Threads take strips of rows in turn, each strip
 * some planes behind the one before it. Nothing is computed twice, and the values are those of the
 * steps one by one, bit for bit. */
#ifndef GMG_PROGRAMS_SKEW_H
#define GMG_PROGRAMS_SKEW_H

#include "program.h"

/* Why steps are taken one by one on the host; NULL: they need not. */
const char *gmg_skew_reason(const struct gmg_program *program);
/* Plans for it, where there is no such reason. Returns -1 out of memory. */
int gmg_skew_plan(struct gmg_program *program);
void gmg_skew_free(struct gmg_program *program);
/* How many steps are taken so at a time, by the option steps-per-pass: those of a block, or several
 * where there are none and a step's arrays are more than the caches hold; 1: steps are not taken
 * so. */
int gmg_skew_steps(const struct gmg_program *program);
/* Takes so many steps, those of a block after its exchanges. The arrays are permuted afterwards as
 * they were before: the caller permutes them. */
void gmg_skew_run(struct gmg_program *program, int steps);

#endif
