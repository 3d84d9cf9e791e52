/* How the β that was given differs from one value to the next. */
#ifndef GMG_STEPS_H
#define GMG_STEPS_H

#include "problem/solver.h"

/* Neighbours of which one is more than so many times the other are a step. */
#define GMG_STEP_RATIO 50.0
static inline int gmg_is_step(double a, double b)
{
  return (a > b ? a / b : b / a) > GMG_STEP_RATIO;
}

/* Looks at all neighbouring values in each rank's part: guesses the jump that setup measures once β
 * is on the faces, and counts steps (problem.jump, problem.steps). Calls: collective. Errors:
 * GMG_ERR_MEMORY, GMG_ERR_DEVICE, GMG_ERR_MPI. */
gmg_status gmg_steps_count(gmg_solver *solver);

#endif
