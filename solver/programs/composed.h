/* Several steps of a program as one: by a kernel that gmg-gen has composed, in cells that are far
 * enough from walls; beside walls step by step, in patches of the grid that overlap. Which cells
 * are which depends on the grid alone, and so the bits do not depend on ranks, boxes and threads.
 * Where walls only continue arrays (linear/extension.h) the kernel takes all cells; GPUs run such
 * programs alone. */
#ifndef GMG_PROGRAMS_COMPOSED_H
#define GMG_PROGRAMS_COMPOSED_H

#include "program.h"

/* After the boxes and their ghosts are planned: plans composed steps where the program has such a
 * kernel and its block has as many rounds. Returns -1 out of memory. */
int gmg_composed_plan(struct gmg_program *program);
void gmg_composed_free(struct gmg_program *program);
/* The option `compose`: "off", or how many steps. */
gmg_status gmg_composed_set(struct gmg_program *program, const char *value);
/* Takes as many steps as the block has rounds. Returns 0, or an MPI error code. */
int gmg_composed_take(struct gmg_program *program);

#endif
