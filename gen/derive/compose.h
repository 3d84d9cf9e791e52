/* Several steps of a program as one kernel, a larger stencil: linear programs only. */
#ifndef GEN_COMPOSE_H
#define GEN_COMPOSE_H

#include "ir/program.h"

enum { GEN_MOST_COMPOSED = 16, GEN_MOST_TERMS = 1500 };

/* Fills program->composed with the kernel of so many rounds of its steps, 2 to GEN_MOST_COMPOSED,
 * and adds arrays that it stores to. In cells so near a wall that a round's values beyond it count,
 * the kernel is wrong. Rejects what is not linear in the arrays that change, and more than
 * GEN_MOST_TERMS terms in a cell, with their number. */
bool gen_compose(struct gen_program *program, int steps);

#endif
