/* Where cells and faces are, relative to the box: 0 … 1 along every axis. */
#ifndef GMG_IO_COORDINATES_H
#define GMG_IO_COORDINATES_H

#include "common/failure.h"
#include "file/problem.h"

double coordinate_face(const struct problem *problem, int axis, int face);
double coordinate_centre(const struct problem *problem, int axis, int cell);

/* Stretches an axis: the same smooth map of 0 … 1 for every number of cells, by which `cells` of
 * them (0: as many as the axis has) would each be `ratio` times as wide as the one before; fills
 * problem->faces. Memory: gives them, the problem's. Errors: STATUS_MACHINE. */
int coordinates_stretch(struct problem *problem, int axis, double ratio, int cells,
                        struct failure *failure);

#endif
