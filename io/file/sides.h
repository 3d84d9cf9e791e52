/* Group /boundary of a problem file. */
#ifndef GMG_IO_SIDES_H
#define GMG_IO_SIDES_H

#include <stddef.h>

#include "object.h"
#include "problem.h"

extern const char *const sides_kind_names[4]; /* by gmg_boundary */

/* Faces of a side (gmg_side) of the grid. */
size_t sides_faces(const int cells[3], int side);
/* Fills problem->side, the grid being known. On one rank. */
int sides_read(const struct object *root, struct problem *problem);

#endif
