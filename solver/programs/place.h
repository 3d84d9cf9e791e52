/* Where a program's arrays are: on the host, or on a device with a copy on the host. */
#ifndef GMG_PROGRAMS_PLACE_H
#define GMG_PROGRAMS_PLACE_H

#include "launches.h"

/* Before the host touches an array. */
void gmg_placed_open(struct gmg_program *program, int array, enum gmg_access access);
/* Where element (0, 0, 0) of an array's first box is, in the memory of the device or the host, for
 * whoever reads it, and changes it where `written`, once gmg_placed_wait has returned. */
double *gmg_placed_lend(struct gmg_program *program, int array, int written);
/* On a device: before steps, so many; after each of them, with so many left (launches.h). */
void gmg_placed_begin(struct gmg_program *program, int64_t steps);
void gmg_placed_step(struct gmg_program *program, int64_t left);
/* Waits for all. Returns 0, or the MPI error of a message. */
int gmg_placed_wait(struct gmg_program *program);
/* Says where the program is, and what it takes there. */
void gmg_placed_inform(const struct gmg_program *program, gmg_program_info *info);
/* Leaves the device; the arrays' values are lost. */
void gmg_placed_free(struct gmg_program *program);

#endif
