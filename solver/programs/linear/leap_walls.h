/* Whether what a program's steps do to waves is known by its walls: each axis has a basis
 * (fourier/basis.h) whose waves every step only multiplies. */
#ifndef GMG_LINEAR_LEAP_WALLS_H
#define GMG_LINEAR_LEAP_WALLS_H

#include "fourier/basis.h"
#include "step_weights.h"

struct gmg_leap_bases {
  enum gmg_basis_kind kind[3];
  int paired[3]; /* waves e^(iθ) are needed: periodic, with other weights on the two sides */
  int affine;    /* a step also adds what does not depend on the arrays, as walls with values do */
};

/* Finds the basis of each axis. Errors: GMG_ERR_UNSUPPORTED with the array, axis and wall. Calls:
 * not collective. */
gmg_status gmg_leap_find_bases(const struct gmg_program *program, const char *call,
                               const struct gmg_step_weights *weights,
                               struct gmg_leap_bases *bases);
/* The basis that the walls of an array have along an axis; GMG_BASIS_NONE: they have none. */
enum gmg_basis_kind gmg_leap_basis_of(const struct gmg_program_array *array, int axis);

#endif
