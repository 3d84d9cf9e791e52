/* Values beyond walls that a serial program has in its arrays, on all ranks. */
#ifndef GMG_MARKED_WALLS_H
#define GMG_MARKED_WALLS_H

#include "program.h"

/* Gives rank 0's bytes to all ranks. */
typedef void gmg_tell(void *bytes, size_t count);
/* Puts the values beyond walls of rank 0's array, first: its first cell (NULL on other ranks),
 * where boxes have ghosts there. Calls: collective. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_marked_share(gmg_program *program, int array, const double *first,
                            const ptrdiff_t stride[3], gmg_tell *tell);

#endif
