/* What applications ask of the operator and the cycles beside a solve: A u, residuals, fluxes, a few cycles. */
#ifndef GMG_SERVICE_H
#define GMG_SERVICE_H

#include "solver.h"

/* Binds the calls below, the first time; takes a field of the finest level. Calls: collective. */
gmg_status gmg_service_bind(struct gmg_solver *solver);
/* Whether the arrays can be used and the solver is set up; `call` is the public name. Calls: not collective. */
gmg_status gmg_service_check(struct gmg_solver *solver, const char *call, const gmg_array *const *array, int arrays);

#endif
