/* What all ranks must have in common when they make a collective call: the call itself, the grid,
 * the settings. Each such call begins with one comparison, in the reduction by which the ranks
 * agree on a status. */
#ifndef GMG_SAME_H
#define GMG_SAME_H

#include "solver.h"

enum { GMG_SAME_CHOICES = 2, GMG_SAME_ARRAYS = 4 };

struct gmg_same {
  const char *call;         /* its public name */
  const gmg_grid *grid;     /* NULL: not compared */
  const gmg_solver *solver; /* likewise; with its grid and all its settings */
  struct gmg_same_choice {
    const char *name;        /* NULL: there is none */
    int value;               /* that the call was given */
    const char *const *word; /* by value; NULL: it is a number */
  } choice[GMG_SAME_CHOICES];
  struct gmg_same_number {
    const char *name; /* NULL: there is none */
    double value;
  } number[GMG_SAME_CHOICES];
  const gmg_array *const *array; /* whose memory is compared: the host's, or a GPU's */
  int arrays;
};

/* Returns the status that all ranks return, as gmg_agree does, where calls do not differ and one
 * has an error of its own; else GMG_ERR_ARGUMENT where they differ, with a sentence that says in
 * what, and on which ranks. Calls: collective. */
gmg_status gmg_same(gmg_context *context, gmg_status status, const struct gmg_same *same);

#endif
