/* Ghosts of a program's arrays: from neighbouring boxes and periodic images, then beyond walls. */
#ifndef GMG_PROGRAMS_GHOSTS_H
#define GMG_PROGRAMS_GHOSTS_H

#include "program.h"

/* Plans what fills the ghosts of every array. Returns -1 out of memory. Calls: collective. */
int gmg_program_plan_ghosts(struct gmg_program *program);
void gmg_program_free_ghosts(struct gmg_program *program);
/* Says why the grid has too few cells for an array's mirrors. */
gmg_status gmg_program_check_ghosts(const struct gmg_program *program);
/* Fills the ghosts of an array, as deep as kernels read them. Returns 0, or an MPI error code.
 * Calls: collective. */
int gmg_program_fill_ghosts(struct gmg_program *program, int array);
/* The two halves of it: ghosts inside the grid, and those beyond walls. */
int gmg_program_exchange(struct gmg_program *program, int array);
void gmg_program_fill_walls(struct gmg_program *program, int array);
/* The ghosts inside the grid of all arrays that steps change, or of the others. */
int gmg_program_exchange_all(struct gmg_program *program, int changed);
/* Fills the ghosts beyond walls of one box, whose element (0, 0, 0) is given; by the calling
 * thread. */
void gmg_program_fill_box_walls(const struct gmg_program *program, int array, int box,
                                void *element);
/* Fills the ghosts beyond walls of a part of the grid, so many along each axis. */
void gmg_program_fill_part_walls(const struct gmg_program *program, int array,
                                 const struct gmg_kernel_box *part, const int deep[3],
                                 void *element);

/* The same of a piece of a box, [from, to) in its cells and ghosts: those ghosts of it that lie
 * beyond walls. */
void gmg_program_fill_piece_walls(const struct gmg_program *program, int array, int box,
                                  const int from[3], const int to[3], void *element);

/* Whether steps change the array. */
int gmg_program_changes(const struct gmg_program_descriptor *made, int array);

#endif
