/* How often a time loop goes round. */
#ifndef GEN_TIMES_H
#define GEN_TIMES_H

#include "translation.h"

/* Notes how often, if its condition counts, and what else may end it, a value that steps change;
 * rejects a condition of another kind. start: the first value of its counter, where it has one of
 * its own; else NULL. */
bool gen_count_times(struct gen_translation *translation, const struct gen_syntax *condition,
                     const struct gen_syntax *start);

#endif
