/* The type of a program's values: double, or float where its arrays hold that. C computes in double
 * where either of two operands is one, and programs compute all in one type, so that what C would
 * compute in another one is refused. */
#ifndef GEN_PRECISION_H
#define GEN_PRECISION_H

#include "translation.h"

/* "double" or "float". */
const char *gen_values_name(const struct gen_translation *translation);
/* Whether C computes the result of an operation in the type of values; rejects it if not. */
bool gen_is_of_values(const struct gen_translation *translation, const struct gen_syntax *syntax);
/* What C makes of a value that is assigned or given to a function: a known number is rounded to the
 * type; of others it must be. NULL after a rejection, or for NULL. */
const struct gen_expr *gen_converted(const struct gen_translation *translation,
                                     const struct gen_syntax *syntax, const struct gen_expr *value);
/* Whether a comparison with the value is the same in the type of values; rejects it if not. */
bool gen_compares_alike(const struct gen_translation *translation, const struct gen_syntax *syntax,
                        const struct gen_expr *value);
/* The function that computes in the type of values: fabs, of floats fabsf. NULL: none. */
const struct gen_intrinsic *gen_values_function(const struct gen_translation *translation,
                                                const char *name);

#endif
