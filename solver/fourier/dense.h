/* Transforms on devices: as products with dense matrices, whose rows are the eigenvectors along an
 * axis (basis.h), each of length 1. A transform of n values then takes 2 n operations a value,
 * which a device does faster than it moves values several times. With one box they need one field
 * more, with several two or four (device_pencils.h). Values differ from those of KissFFT by
 * rounding, and so do those of another number of ranks. */
#ifndef GMG_DENSE_H
#define GMG_DENSE_H

#include "lines.h"
#include "problem/solver.h"

struct gmg_dense;

/* Plans them for the finest level, whose back end has taken it or is to: levels where lines are
 * whole, on the layouts of these pencils, which it keeps, and what divides by eigenvalues. Calls:
 * collective. Errors, alike on all ranks: GMG_ERR_MEMORY. */
gmg_status gmg_dense_plan(gmg_solver *solver, const struct gmg_lines *lines,
                          const struct gmg_pencils *pencils, struct gmg_dense **dense);
/* Adds its levels and moves to the lists of the placement. */
void gmg_dense_list(struct gmg_dense *dense, struct gmg_placement *placement);
/* Once the levels are on the device: makes the matrices, copies them there, and runs once, so that
 * no solve is the first. Calls: collective. Errors, alike on all ranks: GMG_ERR_MEMORY,
 * GMG_ERR_DEVICE, GMG_ERR_MPI. */
gmg_status gmg_dense_take(gmg_solver *solver, const struct gmg_lines *lines,
                          struct gmg_dense *dense);
void gmg_dense_destroy(gmg_solver *solver, struct gmg_dense **dense);
/* Fields of the finest level that they are made for. */
enum gmg_dense_fields { GMG_DENSE_U_OF_F, GMG_DENSE_W_OF_W, GMG_DENSE_WAYS };
/* u = the operator's inverse times f, or w = the same times w; overwrites r. Allocates nothing.
 * Calls: collective. An MPI failure stays in the context. */
void gmg_dense_solve(gmg_solver *solver, const struct gmg_dense *dense,
                     enum gmg_dense_fields fields);

#endif
