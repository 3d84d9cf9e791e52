/* Coefficients that the caller has in the memory of a GPU. */
#ifndef GMG_THERE_H
#define GMG_THERE_H

#include "problem/solver.h"

/* Whether values are in a device's memory, which is opened where the solver may use one. Calls: on
 * all ranks. */
int gmg_there_holds(gmg_solver *solver, const gmg_array *values);
/* A copy of them there, with their strides, in place of given->values. Errors: GMG_ERR_MEMORY,
 * GMG_ERR_DEVICE. */
gmg_status gmg_there_copy(struct gmg_problem *problem, int which, struct gmg_given *given);
/* Copies values to the host, for what reads them there, until they are taken in. Errors:
 * GMG_ERR_MEMORY, GMG_ERR_DEVICE. */
gmg_status gmg_there_bring(struct gmg_problem *problem, int which);
/* All that are there, where the host is to compute: says in the fallbacks what it does with them.
 * Calls: collective. */
gmg_status gmg_there_bring_all(gmg_solver *solver, const char *what);
/* Whether all values are allowed (gmg_given_check), by the device; of α, factor x value, how they
 * vary too. Returns 0 where the host must look. */
int gmg_there_check(const struct gmg_problem *problem, int which, double factor, double least,
                    double range[2]);
/* The largest ratio of values next to each other along an axis, and how many pairs are a step
 * (steps.h). Returns 0 where the host must look. */
int gmg_there_ratio(const struct gmg_problem *problem, int which, int axis, double *most,
                    double *steps);
/* How many values lie from the first to the last, by strides that are not negative. */
size_t gmg_there_span(const struct gmg_problem *problem, int which, const ptrdiff_t stride[3]);

#endif
