/* Solves of a formula file: steps for which an application attaches a solver. */
#ifndef GEN_FORMULA_SOLVE_H
#define GEN_FORMULA_SOLVE_H

#include "formula_values.h"

/* Reads `solve NAME: rhs f, solution u, beta_x bx, ...;`, and adds the step. Rejects what a solver
 * could not take: one that lacks rhs or solution, beta on some faces alone, faces along an axis
 * beyond whose walls no rule says what is there, arrays in single precision. */
bool gen_formula_solve(struct gen_formula *formula);

#endif
