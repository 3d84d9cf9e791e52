/* Whether a level's kernels run in passes over memory (openmp/pass.h), and how deep its ghosts must
 * be for that: several kernels run between two exchanges, each on fewer of the ghosts than the one
 * before. */
#ifndef GMG_OVERLAP_H
#define GMG_OVERLAP_H

#include "problem/solver.h"

struct gmg_overlap {
  /* of ghosts along j and k, held where there are neighbours; 0: no deeper than kernels reach */
  int depth;
  const char *unfused_reason; /* why its kernels run one by one; NULL: they run in passes */
  int may_pass; /* 1: passes are right with ghosts of that depth, if they were not worth while */
};

/* For level l; after the layouts are planned. All ranks get the same. */
struct gmg_overlap gmg_overlap_plan(const gmg_solver *solver, int l);

/* On a device, for levels whose ghosts are deep: the moves that fill them (level.h), once all
 * fields are planned. Calls: collective. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_overlap_bind(gmg_solver *solver);

#endif
