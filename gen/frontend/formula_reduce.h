/* The reductions that a formula file's head asks for: reduce NAME = sum VALUE; or min, or max. */
#ifndef GEN_FORMULA_REDUCE_H
#define GEN_FORMULA_REDUCE_H

#include "formula_values.h"

/* Goes past one, which may name what the head declares further down. */
bool gen_formula_note_reduction(struct gen_formula *formula);
/* Reads all of them, at the end of the head. Rejects one that reads no array, or reads beyond walls
 * without a rule. */
bool gen_formula_reductions(struct gen_formula *formula);
/* The program's reduction of that name; -1: there is none. */
int gen_formula_reduction(const struct gen_program *program, const char *name);

#endif
