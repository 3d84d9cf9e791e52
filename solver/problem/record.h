/* Shows a recorder of the application's what the solver is called with. */
#ifndef GMG_RECORD_H
#define GMG_RECORD_H

#include "solver.h"

/* Calls: collective. Errors: GMG_ERR_RECORDER, with the recorder's sentence. */
gmg_status gmg_record_coefficient(gmg_solver *solver, gmg_coefficient which,
                                  const gmg_array *values);
/* Shows the borrowed ones of the coefficients that are taken in, as they are now. */
gmg_status gmg_record_borrowed(gmg_solver *solver, int take);
/* Refuses a field of an operator's own where something records. */
gmg_status gmg_record_field(gmg_solver *solver, const char *name);
gmg_status gmg_record_solve(gmg_solver *solver, const gmg_array *f, const gmg_array *guess);

#endif
