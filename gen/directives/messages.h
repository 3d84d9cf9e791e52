/* What the host prints between steps. */
#ifndef GEN_MESSAGES_H
#define GEN_MESSAGES_H

#include "translation.h"

/* Whether a statement prints text, numbers and variables, perhaps under a condition, and does
 * nothing else: steps are the same without it. One that prints elements of arrays does more: they
 * may lie on a device. */
bool gen_prints(const struct gen_syntax *syntax);

#endif
