/* What a sweep over a box takes in turn (skew.h): kernels of several steps, and what fills ghosts
 * beyond walls between them; and how many rows and planes each stays behind those before it. */
#ifndef GMG_PROGRAMS_SKEW_STAGES_H
#define GMG_PROGRAMS_SKEW_STAGES_H

#include "program.h"

/* A kernel of one of the rounds, or the ghosts of an array beyond walls. */
struct gmg_skew_stage {
  const struct gmg_program_kernel *bound; /* NULL: ghosts */
  int array, extent;
  int behind[2]; /* ghosts: their images lie so many rows, planes below where they are filled */
  signed char holder[GMG_PROGRAM_ARRAYS]; /* by array: which one of the program's has its values */
  int lag[2];                             /* rows, planes behind the first stage */
  /* In the box that is swept: */
  int from[2], to[2], shift[2]; /* rows, planes; of kernels, counted from the box's first cell */
  struct gmg_kernel_args args;
  void *pointer[GMG_MAX_FIELDS];
};

/* Finds the stages of so many steps, those of a block's last rounds; there is room for all that
 * they can be. Returns how many there are. */
int gmg_skew_find_stages(const struct gmg_program *program, int steps,
                         struct gmg_skew_stage *stage);

#endif
