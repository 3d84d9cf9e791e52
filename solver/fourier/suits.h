/* What transforms can solve: an operator whose eigenvectors are products of those along the axes.
 */
#ifndef GMG_FOURIER_SUITS_H
#define GMG_FOURIER_SUITS_H

#include "problem/problem.h"

/* What is lacking, in words: "constant spacing along each axis", "cells of width 1 to 2 along x".
 */
struct gmg_lacking {
  const char *needs;
  char found[120];
};

/* Whether an operator on cells of these axes, with the sides and the a α of the problem, has such
 * eigenvectors; else says what is lacking. */
int gmg_transforms_suit(const struct gmg_problem *problem, const struct gmg_operator_descriptor *op,
                        const struct gmg_axis axis[3], struct gmg_lacking *lacking);

#endif
