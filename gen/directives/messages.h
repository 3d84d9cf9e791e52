/* What the host prints between steps. */
#ifndef GEN_MESSAGES_H
#define GEN_MESSAGES_H

#include "translation.h"

/* Whether a statement prints text, numbers and variables, perhaps under a condition, and does
 * nothing else: steps are the same without it. One that prints elements of arrays does more: they
 * may lie on a device. */
bool gen_prints(const struct gen_syntax *syntax);
/* Whether finding a value changes nothing, and reads no array. */
bool gen_is_quiet(const struct gen_syntax *value);
/* Whether a statement only decides by such values what is printed, what variables are, and whether
 * the loop around it is left: *stops becomes true for a break. */
bool gen_decides(const struct gen_syntax *syntax, bool *stops);

#endif
