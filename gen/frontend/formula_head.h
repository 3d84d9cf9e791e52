/* The head of a formula file: what it declares. */
#ifndef GEN_FORMULA_HEAD_H
#define GEN_FORMULA_HEAD_H

#include "formula_values.h"

/* Reads the format's version, then all declarations up to the first equation. */
bool gen_formula_head(struct gen_formula *formula);
/* Refuses a name that is taken, or that formulas use for something else. */
bool gen_formula_free_name(const struct gen_formula *formula, const struct gen_token *name);

#endif
