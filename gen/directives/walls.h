/* What stands beyond the walls: what loops over planes of ghosts say. */
#ifndef GEN_WALLS_H
#define GEN_WALLS_H

#include "translation.h"

/* Finds what stands beyond the walls of every array, and that loops fill ghosts anew before a
 * kernel reads them. Where no loop ever writes, the ghosts are data, and stay. */
bool gen_read_walls(struct gen_translation *translation);

#endif
