/* The kernels of a formula file: from equations that were read to loops, arrays and steps. */
#ifndef GEN_FORMULA_KERNEL_H
#define GEN_FORMULA_KERNEL_H

#include "formula_values.h"

/* Begins a kernel without equations; rejects a name that another one has. */
bool gen_formula_start_kernel(struct gen_formula *formula, const char *name,
                              struct gen_location where);
/* Begins a kernel without statements, which the program does not have yet. */
void gen_formula_clear_kernel(struct gen_formula *formula, const char *name,
                              struct gen_location where);
/* Gives the kernel that was read its loops and arrays. Rejects a read beyond walls without a rule.
 */
bool gen_formula_bind(struct gen_formula *formula, struct gen_program_kernel *bound);
/* Ends the kernel: its loops, its arrays, where new values go, and the steps that run it and let
 * arrays take turns. Rejects one that stores nothing, sets what nothing reads, or reads beyond
 * walls without a rule. */
bool gen_formula_finish_kernel(struct gen_formula *formula, struct gen_location where);
/* Whether anything reads what the declared array was some steps ago. */
bool gen_formula_has_past(const struct gen_program *program, int array);

#endif
