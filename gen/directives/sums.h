/* What a sum over cells takes of the statements of its nest. */
#ifndef GEN_SUMS_H
#define GEN_SUMS_H

#include "values.h"

/* Finds the variables from whose values that of the sum in hand is found. */
void gen_find_needed(struct gen_making *making);
/* Whether a statement is left out: of a kernel, those that gather; of a sum, those that it does not
 * need. */
bool gen_sum_skips(struct gen_making *making, const struct gen_syntax *syntax);
/* Makes the statement that gathers what the sum in hand is of. Returns false after a rejection. */
bool gen_make_gathered(struct gen_making *making);

#endif
