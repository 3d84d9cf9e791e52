/* Boxes for ranks of unlike speeds. */
#ifndef GMG_WEIGHTED_H
#define GMG_WEIGHTED_H

#include "layout.h"

/* A tensor layout that is cut across one axis in the order of the ranks, each rank's part in
 * proportion to its weight and rounded to whole cells; a rank whose part has none has no box. A
 * part is cut further into boxes of about `nominal` cells in each direction; 0: it is one box.
 * Shape: weight[rank], each finite and at least 0, their sum above 0. Memory: gives the layout.
 * NULL: out of memory. */
struct gmg_layout *gmg_layout_weighted(const int cells[3], int axis, int nominal,
                                       const double *weight, int rank, int ranks);

#endif
