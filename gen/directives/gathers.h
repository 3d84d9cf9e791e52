/* Statements of a nest that gather a value of each cell in a variable. */
#ifndef GEN_GATHERS_H
#define GEN_GATHERS_H

#include "translation.h"

/* Finds them: s += x; m = fmax(m, x); if (x > m) m = x; and the like, of a variable that nothing
 * else in the nest reads or sets. */
void gen_find_sums(struct gen_nest *nest);

#endif
