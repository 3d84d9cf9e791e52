/* Which walls allow several steps between two exchanges. */
#ifndef GMG_PROGRAMS_BLOCK_WALLS_H
#define GMG_PROGRAMS_BLOCK_WALLS_H

#include "program.h"

/* Finds the axes that are periodic for all arrays. Refuses (GMG_ERR_UNSUPPORTED) walls whose values
 * kernels that run on ghosts could not know: an axis that is periodic for some arrays alone; fixed
 * values beside a periodic axis, which are no images of each other; fixed values that an array
 * takes over from one whose walls are not fixed. */
gmg_status gmg_block_check_walls(struct gmg_program *program);

#endif
