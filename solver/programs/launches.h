/* A program's launches on a device: each kernel, exchange and wall for all arrays that take turns,
 * prepared before the first step. */
#ifndef GMG_PROGRAMS_LAUNCHES_H
#define GMG_PROGRAMS_LAUNCHES_H

#include "program.h"
#include "runtime/stepper.h"

/* What is launched at once: a kernel, the exchange of an array, or what fills the ghosts of arrays
 * beyond their walls. */
struct gmg_step_launch {
  int extent, arrays, holder[GMG_MAX_FIELDS]; /* of a kernel; of an exchange one holder alone */
  int array[GMG_MAX_FIELDS];                  /* of walls: whose they are; else zeros */
  struct gmg_launch *launch;                  /* NULL: there is nothing to do */
  struct gmg_step_launch *next;
};

/* Two steps in one launch (twice.h). */
struct gmg_placed_twice {
  int on;
  struct gmg_kernel_descriptor kernel; /* that of a step, but for the text */
  struct gmg_program_kernel bound;
  /* The boxes with their walls; [1]: where values beyond walls are data, the old ones are in the
   * array that is written. */
  struct gmg_kernel_box *box[2];
};

/* A program that is on a device. */
struct gmg_placed_program {
  struct gmg_stepping stepping;
  struct gmg_level_array array[GMG_PROGRAM_ARRAYS]; /* as they were taken */
  const struct gmg_kernel_descriptor **kernel;
  struct gmg_placed_twice twice;
  /* Lists, by kernel, those of reductions after the others, then two steps, then composed ones; by
   * array; all. */
  struct gmg_step_launch **run, *exchange[GMG_PROGRAM_ARRAYS], *walls;
  /* Arrays whose ghosts beyond walls are to be filled before anything else is launched: together.
   */
  struct gmg_step_launch waiting;
  /* By holder: 1 + the array as whose its ghosts beyond walls are filled by the kernel that wrote
   * it; 0: they are not. */
  int images[GMG_PROGRAM_ARRAYS];
  int kernels_fill; /* 1: kernels fill such ghosts, where they can */
  int period;       /* of the arrays' turns, in steps */
  /* Steps whose launches are collected are flushed together: `chunk` of them this time, of which
   * there are `pending`. */
  int together, chunk, pending;
};

/* Prepares all launches that steps will need. Returns -1 where that failed; then the device says
 * why, or memory is lacking. */
int gmg_launches_prepare(struct gmg_program *program);
void gmg_launches_free(struct gmg_program *program);
/* The host has changed an array, by its holder. */
void gmg_launches_changed(struct gmg_program *program, int holder);
/* Collect what a kernel, on boxes with so many of their ghosts, an exchange, walls launch; walls
 * wait for those of other arrays. */
void gmg_launches_kernel(struct gmg_program *program, int kernel, int extent);
/* Two steps; other: whether old values beyond walls are in the array that is written. */
void gmg_launches_twice(struct gmg_program *program, int other);
/* The composed kernel, in all cells. */
void gmg_launches_composed(struct gmg_program *program);
void gmg_launches_exchange(struct gmg_program *program, int array);
void gmg_launches_walls(struct gmg_program *program, int array);
/* Runs the kernel of a reduction after all that was collected, and waits (stepper.h). */
void gmg_launches_reduce(struct gmg_program *program, int reduction, struct gmg_reduction *found);
/* Starts all that was collected, walls that wait first. */
void gmg_launches_flush(struct gmg_program *program);
/* Before steps, so many; after each of them, with so many left: starts what is collected when that
 * is enough for a list, alike as often as can be. */
void gmg_launches_begin(struct gmg_program *program, int64_t steps);
void gmg_launches_step(struct gmg_program *program, int64_t left);

#endif
