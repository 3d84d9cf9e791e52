/* Where the given β has steps. */
#ifndef GMG_LOOK_H
#define GMG_LOOK_H

#include "problem/solver.h"

/* What a look at the given β found. */
struct gmg_coarsening_look {
  int many;       /* steps between neighbours are many; the rest is known where they are */
  double part[3]; /* of the pairs of neighbours along x, y, z: those that are a step */
  /* cells of the part of the grid where they are most */
  int lower[3], upper[3];
};

/* Looks, after gmg_steps_count, at β of all ranks: how many steps there are, and, for a trial,
 * where most of them. The same on any ranks. Calls: collective. Errors: GMG_ERR_MPI,
 * GMG_ERR_MEMORY, GMG_ERR_DEVICE. */
gmg_status gmg_coarsening_look(gmg_solver *solver, int for_trial, struct gmg_coarsening_look *look);

#endif
