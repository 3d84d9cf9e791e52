/* Why a solve converged poorly or not at all, and what would help: a sentence, from measurements.
 */
#ifndef GMG_DIAGNOSIS_H
#define GMG_DIAGNOSIS_H

#include "problem/solver.h"

/* Before the solution is handed over, of a solve whose numbers were not finite at the start: says
 * in solver->report.reason which value was not. u: the guess, NULL without one. Calls: collective.
 */
void gmg_diagnose_input(gmg_solver *solver, const gmg_array *f, const gmg_array *u);
/* After the solution was handed over, of a solve that did not converge or needed many cycles: adds
 * cause and cure to solver->report.reason. tolerance: that was asked for; floor:
 * gmg_outcome_limit(). What the levels do to errors is measured once per setup. Changes all u and
 * f. Allocates nothing. Calls: collective. */
void gmg_diagnose(gmg_solver *solver, const gmg_result *result, double tolerance, double floor);
/* Whether gmg_diagnose has something to say of a solve. */
int gmg_diagnose_wanted(const struct gmg_hierarchy *hierarchy, const gmg_result *result);

#endif
