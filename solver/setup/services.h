/* The kernels and the ways of values to the caller's arrays that services (service.h) run, made in
 * setup. */
#ifndef GMG_SERVICES_H
#define GMG_SERVICES_H

#include "problem/solver.h"

/* Binds the calls of A u, residuals, densities and fluxes. */
gmg_status gmg_services_bind(gmg_solver *solver);
/* Plans how fluxes get to the caller's arrays, where the operator has them. Calls: collective. */
gmg_status gmg_services_plan(gmg_solver *solver);
void gmg_services_destroy(gmg_solver *solver);

#endif
