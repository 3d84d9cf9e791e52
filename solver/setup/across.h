/* What lies just beyond a rank's part of the grid. */
#ifndef GMG_ACROSS_H
#define GMG_ACROSS_H

#include "problem/solver.h"

/* Copies of the values in the plane of cells after this rank's part along an axis, which other
 * ranks hold: i fastest, without gaps, extent[axis] = 1; none where the part ends at the grid's
 * end. */
struct gmg_across {
  int extent[3];
  double *value;
};

/* Of a coefficient on cells in the host's memory. Calls: collective. Errors: GMG_ERR_MEMORY,
 * GMG_ERR_MPI. Memory: gmg_across_drop frees the values. */
gmg_status gmg_across_take(gmg_solver *solver, gmg_coefficient which, int axis,
                           struct gmg_across *across);
void gmg_across_drop(struct gmg_across *across);

#endif
