/* The caller's arrays where ranks compute together (together.h): who leads reads them in the memory of the others, and writes the
 * solution there, in a few rows at a time, by all its threads. */
#ifndef GMG_CARRY_H
#define GMG_CARRY_H

#include "solver.h"

/* Finds out whether those who lead get at the memory of the others, and have the cells of no rank of another machine. Where
 * not, messages carry the values. Calls: collective. Returns -1 where MPI failed. Memory: gives solver->together.carry. */
int gmg_carry_plan(struct gmg_solver *solver);
void gmg_carry_clear(struct gmg_together *together);
/* Whether it was found so. */
int gmg_carry_found(const struct gmg_together *together);
/* Whether arrays of these strides, on all ranks, are carried so. Calls: collective. */
int gmg_carry_suits(struct gmg_solver *solver, const ptrdiff_t stride[3]);
/* Into a field of the finest level, in double, and of cells back; until the next collective call, arrays are not the caller's.
 * A failure stays in the context. Calls: collective. */
void gmg_carry_in(struct gmg_solver *solver, const gmg_array *array, struct gmg_level_array *field,
                  enum gmg_place place);
void gmg_carry_out(struct gmg_solver *solver, const gmg_array *array, struct gmg_level_array *field);

#endif
