/* The levels, calls and moves of a solver that the device may have to do with. */
#ifndef GMG_CUDA_VISIT_H
#define GMG_CUDA_VISIT_H

#include "problem/solver.h"

/* The nth of so many levels; NULL: there is no such one. They are those of the cycle, staging
 * levels, and the finest one in double. */
struct gmg_level *gmg_visit_level(const struct gmg_solver *solver, int n);
int gmg_visit_levels(const struct gmg_solver *solver);
/* Whether the device runs a call: one between two levels runs where the finer one is. */
int gmg_visit_runs(const struct gmg_solver *solver, const struct gmg_call *call);
/* Does something with every call that the device runs. */
void gmg_visit_calls(struct gmg_solver *solver,
                     void (*visit)(struct gmg_solver *solver, struct gmg_call *call, void *user),
                     void *user);
/* And with every move of the cycle, and of those calls. */
struct gmg_move_visit {
  void (*visit)(struct gmg_solver *solver, struct gmg_level *level, struct gmg_move *move,
                void *user);
  void *user;
};
void gmg_visit_moves(struct gmg_solver *solver, struct gmg_move_visit visit);

#endif
