/* Conditions on values in the loops over cells. All cells compute both values, and take one. */
#ifndef GEN_CONDITIONS_H
#define GEN_CONDITIONS_H

#include "values.h"

/* Whether it is a comparison, or made of others by && || !. */
bool gen_is_condition(const struct gen_syntax *syntax);
/* The one value where a condition holds, the other one elsewhere. NULL after a rejection. */
const struct gen_expr *gen_make_choice(struct gen_making *making,
                                       const struct gen_syntax *condition,
                                       const struct gen_expr *holds, const struct gen_expr *other);
/* condition ? a : b. NULL after a rejection. */
const struct gen_expr *gen_make_choices(struct gen_making *making, const struct gen_syntax *syntax);

#endif
