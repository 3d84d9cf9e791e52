/* Transforms on a device: as products with dense matrices, whose rows are the eigenvectors along an
 * axis (basis.h), each of length 1. A transform of n values then takes 2 n operations a value,
 * which a device does faster than it moves values several times; and it needs a field more there,
 * where transforms by KissFFT need pencils on the host. Values differ from those by rounding. */
#ifndef GMG_DENSE_H
#define GMG_DENSE_H

#include "lines.h"
#include "problem/solver.h"

struct gmg_dense;

/* Plans them for the finest level, whose back end has taken it or is to: binds what divides by
 * eigenvalues. Not collective. Errors: GMG_ERR_MEMORY. */
gmg_status gmg_dense_plan(gmg_solver *solver, const struct gmg_lines *lines,
                          struct gmg_dense **dense);
/* Once the level is on the device: makes the matrices, copies them there, and runs once, so that no
 * solve is the first. Errors: GMG_ERR_MEMORY, GMG_ERR_DEVICE. */
gmg_status gmg_dense_take(gmg_solver *solver, const struct gmg_lines *lines,
                          struct gmg_dense *dense);
void gmg_dense_destroy(gmg_solver *solver, struct gmg_dense **dense);
/* The field `to` = the operator's inverse times the field `from`, which may be the same; both by
 * the numbers of their names, and not r. Allocates nothing. */
void gmg_dense_solve(gmg_solver *solver, const struct gmg_dense *dense, int from, int to);

#endif
