/* What applications ask of the operator and the cycles beside a solve: A u, residuals, fluxes, a few cycles. */
#ifndef GMG_SERVICE_H
#define GMG_SERVICE_H

#include "solver.h"

/* Binds the calls below. */
gmg_status gmg_service_bind(struct gmg_solver *solver);
gmg_status gmg_flux_bind(struct gmg_solver *solver);
/* Plans the ways of fluxes to the caller's arrays, where the operator has them. Calls: collective. */
gmg_status gmg_flux_plan(struct gmg_solver *solver);
void gmg_flux_destroy(struct gmg_solver *solver);
/* A call: its public name, and what it was given. */
struct gmg_service_call {
  const char *name;
  const gmg_array *const *array; /* the last one is filled, or the last three, on faces */
  int arrays, faces, cycles;     /* 1 where there is no number of cycles */
};
/* Whether the arrays can be used and the solver is set up, and all ranks make the same call with the same settings. Calls: collective. */
gmg_status gmg_service_check(struct gmg_solver *solver, const struct gmg_service_call *call);

#endif
