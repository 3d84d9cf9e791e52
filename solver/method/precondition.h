/* A cycle as the preconditioner of a Krylov method. */
#ifndef GMG_PRECONDITION_H
#define GMG_PRECONDITION_H

#include "problem/hierarchy.h"

/* One cycle from zero on the finest level's f, whose size is about that: u = its result, of a
 * singular problem without its mean. In either precision. Calls: collective. */
void gmg_precondition(struct gmg_hierarchy *hierarchy, double size);

#endif
