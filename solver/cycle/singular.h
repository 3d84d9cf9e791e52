/* Singular problems: a constant may be added to u, and the right side must have none. */
#ifndef GMG_SINGULAR_H
#define GMG_SINGULAR_H

#include "problem/hierarchy.h"

/* Takes its mean off f (full: of all levels). Returns it. Calls: collective. */
double gmg_singular_project_f(struct gmg_hierarchy *hierarchy, int full);
/* Takes its mean off u of the finest level. Does nothing where the problem is not singular. Calls:
 * collective. */
void gmg_singular_level_u(struct gmg_hierarchy *hierarchy);

#endif
