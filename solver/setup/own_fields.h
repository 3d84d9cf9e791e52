/* Coefficient fields of an application's operator, on all levels. */
#ifndef GMG_OWN_FIELDS_H
#define GMG_OWN_FIELDS_H

#include "problem/solver.h"

/* Makes those fields on a level, and for fields on cells, where `mirror` is not NULL, what fills
 * their ghosts. */
gmg_status gmg_own_create(gmg_solver *solver, struct gmg_level *level,
                          struct gmg_exchange **mirror);
/* What fills the ghosts of fields on cells: from neighbours, and beyond walls from the wall's cell.
 * NULL out of memory, or on an MPI failure. Calls: collective. Memory: gives it. */
struct gmg_exchange *gmg_own_mirror(gmg_solver *solver, struct gmg_level *level);
/* Runs it on a field. Errors: GMG_ERR_MEMORY where there is none. */
gmg_status gmg_own_fill(gmg_solver *solver, struct gmg_level *level, struct gmg_exchange *mirror,
                        int name);
/* Binds the coarsening of own field c from `source`, where the fine
 * values lie in `from`. */
gmg_status gmg_own_bind(gmg_solver *solver, int c, struct gmg_level *coarse,
                        struct gmg_level *source, const char *from, struct gmg_call **call);

#endif
