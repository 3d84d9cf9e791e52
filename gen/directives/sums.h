/* What a sum over cells, and the kernel beside it, take of the statements of their nest. */
#ifndef GEN_SUMS_H
#define GEN_SUMS_H

#include "values.h"

/* Finds the variables from whose values that of the sum in hand is found, or what the kernel
 * stores.
 */
void gen_find_needed(struct gen_making *making);
/* Whether a statement is left out: of the kernel, those that gather, and that do something for them
 * alone; of a sum, those that it does not need. */
bool gen_sum_skips(struct gen_making *making, const struct gen_syntax *syntax);
/* Makes the statement that gathers what the sum in hand is of. Returns false after a rejection. */
bool gen_make_gathered(struct gen_making *making);

#endif
