/* Boxes with ghosts that kernels visit, where several steps are taken between two exchanges. */
#ifndef GMG_PROGRAMS_EXTENDED_H
#define GMG_PROGRAMS_EXTENDED_H

#include "program.h"

/* Makes all that the program's block visits, and room for pointers. Returns -1 out of memory. */
int gmg_extended_plan(struct gmg_program *program);
void gmg_extended_free(struct gmg_program *program);
/* Points a kernel's arguments at the boxes with so many ghosts. */
void gmg_extended_point(struct gmg_program *program, const struct gmg_program_kernel *bound,
                        int extent, struct gmg_kernel_args *args);
/* Makes the tiles of parts of the boxes, once, so that a run allocates nothing. NULL: out of
 * memory. */
const struct gmg_tiles *gmg_extended_tiles(struct gmg_program *program,
                                           const struct gmg_program_kernel *bound,
                                           struct gmg_extended *extended);
void gmg_extended_point_parts(struct gmg_program *program, const struct gmg_program_kernel *bound,
                              struct gmg_extended *extended, struct gmg_kernel_args *args);
void gmg_extended_clear(struct gmg_extended *extended);

#endif
