/* Group /boundary of a problem file. */
#ifndef GMG_IO_SIDES_H
#define GMG_IO_SIDES_H

#include <stddef.h>

#include "object.h"
#include "problem.h"

/* The two axes along the sides normal to an axis, the fast one first. */
extern const int sides_axes[3][2];
/* Faces of a side (gmg_side) of the grid. */
size_t sides_faces(const int cells[3], int side);
/* Fills problem->side, the grid being known. On one rank. */
int sides_read(const struct object *root, struct problem *problem);

#endif
