/* What the solver supplies to an operator: arrays and numbers, by name. */
#ifndef GEN_SUPPLIED_H
#define GEN_SUPPLIED_H

#include "ir/tree.h"

/* Whether an array is a coefficient field that the application supplies. */
bool gen_is_own_field(const struct gen_array *array);
/* Whether an array holds couplings of cells with their neighbours, which the solver makes 0 across
 * walls. */
bool gen_is_link(const struct gen_array *array);
/* Checks that an operator asks for nothing else but fields of its own, and has each array where the
 * solver has it. Rejects the first one that is not so, with the names that are known. */
bool gen_check_supplied(const struct gen_kernel *source);

#endif
