/* Ghosts beyond walls of arrays on a device: which cells they are images of. */
#ifndef GMG_PROGRAMS_IMAGES_H
#define GMG_PROGRAMS_IMAGES_H

#include "program.h"
#include "runtime/stepper.h"

/* Finds all ghosts beyond walls of some arrays, whose values the stepping's arrays `holder` have:
 * what gmg_program_fill_walls fills where the host computes, less edges and corners that nobody
 * sees. There, walls along y read ghosts beyond those along x, and walls along z both: here these
 * ghosts' own images, by one map after the other, so that every source is a cell or a ghost that an
 * exchange fills, or that is data, and none is itself filled. Returns -1 out of memory. Memory:
 * gives what the launch points to, which gmg_images_free takes back. */
int gmg_images_find(const struct gmg_program *program, const int *array, const int *holder,
                    int arrays, struct gmg_images_launch *launch);
/* Whether kernels may fill such ghosts themselves (program_table.h): where steps are not composed,
 * and every box near a wall has all cells whose images it needs. Tells the boxes, with the ghosts
 * that kernels visit, where they have walls then. */
int gmg_images_by_kernels(struct gmg_program *program);
/* Whether the kernel that wrote an array has filled its ghosts beyond walls: for this array, or for
 * one with walls like its own, as deep. */
int gmg_images_hold(const struct gmg_program *program, int array);
void gmg_images_free(struct gmg_images_launch *launch);

#endif
