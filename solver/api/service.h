/* What applications ask of the operator and the cycles beside a solve: A u, residuals, fluxes, a
 * few cycles. */
#ifndef GMG_SERVICE_H
#define GMG_SERVICE_H

#include "problem/solver.h"

/* A call: its public name, what it does, and what it was given. */
struct gmg_service_call {
  const char *name;
  gmg_status (*run)(gmg_solver *solver, const struct gmg_service_call *call);
  const gmg_array *const *array; /* the last one is filled, or the last three, on faces */
  int arrays, faces, cycles;     /* 1 where there is no number of cycles */
};
/* Makes the call, if the arrays can be used, the solver is set up, and all ranks make the same call
 * with the same settings. Calls: collective. */
gmg_status gmg_service_run(gmg_solver *solver, const struct gmg_service_call *call);

#endif
