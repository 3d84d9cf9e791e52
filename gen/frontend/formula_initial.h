/* What arrays hold at first: expressions of the place of a cell, in the head of a formula file. */
#ifndef GEN_FORMULA_INITIAL_H
#define GEN_FORMULA_INITIAL_H

#include "formula_values.h"

/* Reads NAME = EXPRESSION, what comes after the word `initial`; the array gets the expression as
 * text in C. Returns false after a rejection. */
bool gen_formula_initial(struct gen_formula *formula);

#endif
