/* The caller's arrays: the part of the grid that each rank hands over, and how values go from there
 * to the finest level's boxes and back. */
#ifndef GMG_ARRAYS_H
#define GMG_ARRAYS_H

#include "solver.h"

/* Which part each rank hands over: checks that the parts tile the grid. Memory: gives bricks.
 * Calls: collective. */
gmg_status gmg_arrays_bricks(const gmg_grid *grid, struct gmg_layout **bricks);
/* Refuses an array that the caller's call is to fill where two of its values share memory: strides
 * of 0, or that overlap. what: its name in the call; place: where its values are. Errors:
 * GMG_ERR_ARGUMENT. */
gmg_status gmg_arrays_check_output(struct gmg_problem *problem, const char *call, const char *what,
                                   const gmg_array *array, enum gmg_place place);
/* Refuses arrays of the caller's call in a device's memory where the host computes the finest
 * level. Errors: GMG_ERR_ARGUMENT. */
gmg_status gmg_arrays_check_reach(gmg_solver *solver, const char *call,
                                  const gmg_array *const *array, int arrays);
/* The exchanges between arrays of this rank's part and the finest level, there and back. Calls:
 * collective. */
gmg_status gmg_arrays_plan(gmg_solver *solver);
/* Before an exchange with such an array, which the view describes, for an array of these strides.
 * Allocates nothing on the host. */
void gmg_arrays_see(struct gmg_storage *view, struct gmg_exchange *exchange,
                    const ptrdiff_t stride[3]);
/* Moves values between the caller's array, of `span` elements from the first value to the last, and
 * a field of the finest level, by an exchange that was planned for their storages and has seen the
 * array's strides; for an array in its memory the device does so. An MPI failure while values
 * travel stays in the context. Errors: GMG_ERR_MEMORY. Calls: collective. */
gmg_status gmg_arrays_move(gmg_solver *solver, struct gmg_exchange *exchange, int name,
                           const gmg_array *array, size_t span);
/* The caller's array into u of the finest level, and back. An MPI failure while values travel stays
 * in the context. Calls: collective. */
gmg_status gmg_arrays_load(gmg_solver *solver, const gmg_array *array);
gmg_status gmg_arrays_store(gmg_solver *solver, const gmg_array *array);

#endif
