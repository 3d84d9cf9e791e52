/* Copies of values of all cells, or of all faces along an axis, on rank 0. */
#ifndef GMG_WHOLE_H
#define GMG_WHOLE_H

#include "problem/solver.h"

struct gmg_whole {
  struct gmg_layout *layout;
  struct gmg_storage *storage; /* one box, in plain rows; NULL: not begun */
};

/* Calls: collective. Errors: GMG_ERR_MEMORY. Memory: gmg_whole_end frees it. */
gmg_status gmg_whole_begin(gmg_solver *solver, struct gmg_whole *whole);
void gmg_whole_end(struct gmg_whole *whole);
/* Whether this rank has the copies. */
int gmg_whole_is_here(const struct gmg_whole *whole);
/* Copies values that lie on all ranks as `from` says. Calls: collective. Errors: GMG_ERR_MEMORY.
 * Memory: gives the copy. */
gmg_status gmg_whole_gather(gmg_solver *solver, const struct gmg_whole *whole,
                            const struct gmg_storage *from, const void *values,
                            enum gmg_place place, double **copy);

#endif
