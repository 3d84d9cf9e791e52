#include "suits.h"

#include "basis.h"
#include "problem/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Widths that differ by no more than this part are the same: cells + 1 coordinates were rounded. */
#define SAME_WIDTH 1e-12

static int suits_axis(const struct gmg_problem *p, const struct gmg_axis *axis, int d,
                      struct gmg_lacking *lacking)
{
  static const char *const kind[] = {"dirichlet", "neumann", "robin", "periodic"};
  double least = INFINITY, most = 0;
  for (int i = 0; i < axis->cells; i++) {
    least = fmin(least, axis->width[i]);
    most = fmax(most, axis->width[i]);
  }
  if (gmg_basis_kind_of(axis) == GMG_BASIS_NONE) {
    const int side = fabs(gmg_axis_ghost_factor(axis, 0)) == 1;
    lacking->needs = "sides that are periodic, dirichlet or neumann";
    snprintf(lacking->found, sizeof lacking->found, "%s at %s",
             kind[p->grid->side[2 * d + side].kind], gmg_side_names[2 * d + side]);
    return 0;
  }
  if (most - least > SAME_WIDTH * most) {
    lacking->needs = "constant spacing along each axis";
    snprintf(lacking->found, sizeof lacking->found, "cells of width %g to %g along %c", least, most,
             "xyz"[d]);
    return 0;
  }
  return 1;
}

int gmg_transforms_suit(const struct gmg_problem *p, const struct gmg_operator_descriptor *op,
                        const struct gmg_axis axis[3], struct gmg_lacking *lacking)
{
  if (strcmp(op->name, "constant7") != 0 && strcmp(op->name, "constant27") != 0) {
    lacking->needs = "operator constant7 or constant27";
    snprintf(lacking->found, sizeof lacking->found, "operator '%s'%s", op->name,
             strcmp(op->name, "variable7") == 0
               ? ", for which beta was given (a constant beta goes into b)"
               : "");
    return 0;
  }
  if (!p->uniform_alpha) {
    lacking->needs = "one value of a alpha in all cells";
    snprintf(lacking->found, sizeof lacking->found, "an alpha that varies");
    return 0;
  }
  for (int d = 0; d < 3; d++)
    if (!suits_axis(p, &axis[d], d, lacking))
      return 0;
  return 1;
}
